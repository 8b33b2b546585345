/** A direct token has about 560 characters. */
export const DIRECT_TOKEN_LENGTH_MAX = 1024
/** Header, empty encrypted key, 96-bit IV, ciphertext, 128-bit tag (RFC 7516 section 3.1). */
export const DIRECT_TOKEN_FORM = /^[\w-]+\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/
