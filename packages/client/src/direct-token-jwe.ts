import {
  DIRECT_TOKEN_ALG,
  DIRECT_TOKEN_ENC,
  DIRECT_TOKEN_PLAINTEXT_BYTES,
  type DirectTokenPayload,
  type SecurityCodePayload,
  type SessionAnswer,
} from '@cofre/contracts/direct-token'
import { base64url, utf8 } from './bytes.js'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }
// Size of the shared secret (the x of a point on P-256) and of the AES key.
const KEY_BITS = 256
const IV_BYTES = 12
const TAG_BYTES = 16
const SPACE = 32
const json = (value: object): Uint8Array<ArrayBuffer> => utf8(JSON.stringify(value))

/** Key that encrypts exactly one direct token. */
export interface TokenKey {
  /** The token's protected header, encoded. */
  readonly header: string
  readonly key: CryptoKey
}

/**
 * Derives a key shared with the vault, from a key pair used only for this session. It does not
 * depend on the card, so it can be ready before the shopper types.
 * @throws when the session's key is not a point of the curve
 */
export async function agreeOnKey(session: SessionAnswer): Promise<TokenKey> {
  const { subtle } = crypto
  const ephemeral = await subtle.generateKey(CURVE, false, ['deriveBits'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', ephemeral.publicKey)
  const sharedSecret = await subtle.deriveBits(
    { ...CURVE, public: await subtle.importKey('jwk', session['public-key'], CURVE, false, []) },
    ephemeral.privateKey,
    KEY_BITS,
  )
  // Concat KDF (RFC 7518 4.6.2) in 32-bit numbers: round 1, the algorithm after its length, two
  // empty party names, and the key's length in bits.
  const keyData = Uint8Array.of(
    ...[0, 0, 0, 1],
    ...new Uint8Array(sharedSecret),
    ...[0, 0, 0, 7],
    ...utf8(DIRECT_TOKEN_ENC),
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
  )
  return {
    header: base64url(
      json({
        alg: DIRECT_TOKEN_ALG,
        enc: DIRECT_TOKEN_ENC,
        epk: { kty, crv, x, y },
        kid: session.id,
      }),
    ),
    key: await subtle.importKey('raw', await subtle.digest('SHA-256', keyData), 'AES-GCM', false, [
      'encrypt',
    ]),
  }
}

/**
 * Encrypts the card, or a saved card's security code, into a direct token: a compact JWE (RFC
 * 7516).
 * @throws RangeError when the payload exceeds its padding, because the store id is too long
 */
export async function encryptDirectToken(
  payload: DirectTokenPayload | SecurityCodePayload,
  { header, key }: TokenKey,
): Promise<string> {
  const plaintext = new Uint8Array(DIRECT_TOKEN_PLAINTEXT_BYTES).fill(SPACE)
  plaintext.set(json(payload))
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(header) }
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext))
  const parts = [iv, sealed.slice(0, -TAG_BYTES), sealed.slice(-TAG_BYTES)]
  // The second segment, the encrypted key, is empty in direct key agreement.
  return header + '..' + parts.map(base64url).join('.')
}
