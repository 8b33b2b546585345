// The protocol between the browser library and the vault: the session, and the profile of the
// direct token. The token is a compact JWE (RFC 7516) with ECDH-ES direct key agreement (RFC 7518
// 4.6) on P-256 and A256GCM (RFC 7518 5.3).
export { DIRECT_TOKEN_FORM, DIRECT_TOKEN_LENGTH_MAX } from '../card/token-form.js'

/** The public half of a session's key, an EC JWK (RFC 7517). */
export interface SessionPublicKey {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
}

/** Body of `201 Created` of `POST /sessions`. */
export interface SessionAnswer {
  /** The `kid` of the token's protected header. */
  readonly id: string
  readonly 'public-key': SessionPublicKey
  /** Seconds until the vault erases the session. */
  readonly 'expires-in': number
}

/** The plaintext of a direct token as JSON, padded to {@link DIRECT_TOKEN_PLAINTEXT_BYTES}. */
export interface DirectTokenPayload {
  readonly number: string
  readonly cvv: string
  readonly month: string
  readonly year: string
  /** The only store that may pay with the token; any store when absent. */
  readonly store?: string | undefined
}

/** The plaintext of a saved card's security code, padded like a card's. */
export interface SecurityCodePayload {
  readonly cvv: string
  /** The only store that may pay with the token; any store when absent. */
  readonly store?: string | undefined
}

/** Time in which a direct token can pay. */
export const DIRECT_TOKEN_LIFETIME_MINUTES = 15

export const DIRECT_TOKEN_ALG = 'ECDH-ES'
export const DIRECT_TOKEN_ENC = 'A256GCM'
/** One length, so that a token's length reveals nothing; the longest card and store id fit. */
export const DIRECT_TOKEN_PLAINTEXT_BYTES = 192
