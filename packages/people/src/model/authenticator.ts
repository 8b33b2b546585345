import { createHmac } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { Secret as OtpSecret, TOTP } from 'otpauth'

/** The parameters that every authenticator supports: the usual ones of RFC 6238. */
const CODES = { algorithm: 'SHA1', digits: 6, period: 30 }
const SECRET_BYTES = 20
/** One step either way: clocks differ, and people type slowly. */
const STEPS_AROUND = 1
const ISSUER = 'Cofre'

/** True if the text is a code, ignoring the blanks that authenticators show. */
export function isAuthenticatorCode(text: string): boolean {
  return /^\d{6}$/.test(text.replace(/\s/g, ''))
}

/** The step of a code; undefined if the code is not a current one. */
export function stepOfCode(
  secret: Secret<string>,
  code: Secret<string>,
  nowMs: number,
): number | undefined {
  if (!isAuthenticatorCode(code.reveal())) return undefined
  const token = code.reveal().replace(/\s/g, '')
  const key = OtpSecret.fromBase32(secret.reveal())
  const around = { timestamp: nowMs, window: STEPS_AROUND }
  const steps = TOTP.validate({ ...CODES, ...around, secret: key, token })
  return steps === null ? undefined : TOTP.counter({ ...CODES, timestamp: nowMs }) + steps
}

/**
 * The secret on a page, in base32. Not stored until the person returns a code of it: it is derived
 * from data that only this reader has.
 * @param token - A link's, or the id of a session's cookie.
 */
export function authenticatorSecret(token: Secret<string>, visitId: string): Secret<string> {
  const bytes = createHmac('sha256', token.reveal())
    .update(JSON.stringify(['authenticator', visitId]))
    .digest()
    .subarray(0, SECRET_BYTES)
  return new Secret(new OtpSecret({ buffer: Uint8Array.from(bytes).buffer }).base32)
}

/** The text of an authenticator's QR code. */
export function authenticatorUri(secret: Secret<string>, email: string): Secret<string> {
  const key = OtpSecret.fromBase32(secret.reveal())
  return new Secret(new TOTP({ ...CODES, issuer: ISSUER, label: email, secret: key }).toString())
}
