import {
  DIRECT_TOKEN_ALG,
  DIRECT_TOKEN_ENC,
  DIRECT_TOKEN_PLAINTEXT_BYTES,
  type DirectTokenPayload,
  type SessionPublicKey,
} from '@cofre/contracts/direct-token'
import { base64url, utf8 } from './bytes.js'
import { concatKdf } from './concat-kdf.js'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }
// Of the shared secret (the x of a point on P-256) and of the AES key alike.
const KEY_BITS = 256
const IV_BYTES = 12
const TAG_BYTES = 16
const SPACE = 32

/** @throws when the key is no point of the curve */
export function importSessionKey(publicKey: SessionPublicKey): Promise<CryptoKey> {
  return crypto.subtle.importKey('jwk', publicKey, CURVE, false, [])
}

const json = (value: object): Uint8Array<ArrayBuffer> => utf8(JSON.stringify(value))

function paddedPlaintext(payload: DirectTokenPayload): Uint8Array<ArrayBuffer> {
  const plaintext = new Uint8Array(DIRECT_TOKEN_PLAINTEXT_BYTES).fill(SPACE)
  plaintext.set(json(payload))
  return plaintext
}

/**
 * The direct token: a compact JWE (RFC 7516) of the card under a key agreed between the session and a key pair made
 * for this token alone.
 * @throws RangeError when the payload does not fit its padding, because the store id is too long
 */
export async function encryptDirectToken(
  payload: DirectTokenPayload,
  session: { readonly id: string; readonly publicKey: CryptoKey },
): Promise<string> {
  const { subtle } = crypto
  const plaintext = paddedPlaintext(payload)
  const ephemeral = await subtle.generateKey(CURVE, false, ['deriveBits'])
  const { kty, crv, x, y } = await subtle.exportKey('jwk', ephemeral.publicKey)
  const header = base64url(
    json({
      alg: DIRECT_TOKEN_ALG,
      enc: DIRECT_TOKEN_ENC,
      epk: { kty, crv, x, y },
      kid: session.id,
    }),
  )
  const sharedSecret = await subtle.deriveBits(
    { ...CURVE, public: session.publicKey },
    ephemeral.privateKey,
    KEY_BITS,
  )
  const key = await subtle.importKey(
    'raw',
    await concatKdf(sharedSecret, KEY_BITS, [DIRECT_TOKEN_ENC, '', '']),
    'AES-GCM',
    false,
    ['encrypt'],
  )
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = new Uint8Array(
    await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: utf8(header) }, key, plaintext),
  )
  const parts = [iv, sealed.slice(0, -TAG_BYTES), sealed.slice(-TAG_BYTES)]
  // The second segment, the encrypted key, is empty: direct key agreement has none.
  return header + '..' + parts.map(base64url).join('.')
}
