import {
  DIRECT_TOKEN_ALG,
  DIRECT_TOKEN_ENC,
  DIRECT_TOKEN_PLAINTEXT_BYTES,
  type DirectTokenPayload,
  type SessionAnswer,
} from '@cofre/contracts/direct-token'
import { base64url, utf8 } from './bytes.js'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }
// Of the shared secret (the x of a point on P-256) and of the AES key alike.
const KEY_BITS = 256
const IV_BYTES = 12
const TAG_BYTES = 16
const SPACE = 32
const json = (value: object): Uint8Array<ArrayBuffer> => utf8(JSON.stringify(value))

/** What encrypts one direct token, and no other. */
export interface TokenKey {
  /** The token's protected header, encoded. */
  readonly header: string
  readonly key: CryptoKey
}

/**
 * Agrees on a key with the vault, by a key pair made for this session alone. None of it depends on
 * the card, so that it is done before there is one.
 * @throws when the session's key is no point of the curve
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
  // Concat KDF (RFC 7518 4.6.2), in numbers of 32 bits: the first round, the algorithm after its
  // length, two parties without names, and the bits of the key.
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
 * The direct token: a compact JWE (RFC 7516) of the card.
 * @throws RangeError when the payload does not fit its padding, because the store id is too long
 */
export async function encryptDirectToken(
  payload: DirectTokenPayload,
  { header, key }: TokenKey,
): Promise<string> {
  const plaintext = new Uint8Array(DIRECT_TOKEN_PLAINTEXT_BYTES).fill(SPACE)
  plaintext.set(json(payload))
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(header) }
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext))
  const parts = [iv, sealed.slice(0, -TAG_BYTES), sealed.slice(-TAG_BYTES)]
  // The second segment, the encrypted key, is empty: direct key agreement has none.
  return header + '..' + parts.map(base64url).join('.')
}
