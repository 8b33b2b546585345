import {
  type CardDetails,
  DIRECT_TOKEN_ALG,
  DIRECT_TOKEN_ENC,
  DIRECT_TOKEN_PLAINTEXT_BYTES,
  type DirectTokenPayload,
  type Secret,
  type SessionAnswer,
} from '@cofre/contracts'
import { CompactEncrypt } from 'jose'

/** Makes a direct token of a raw card, as the browser library does, that only this store may pay with. */
export async function encryptRawCard(
  card: Secret<CardDetails>,
  session: SessionAnswer,
  store: string,
): Promise<string> {
  const { number, cvv, month, year } = card.reveal()
  const payload: DirectTokenPayload = { number, cvv, month, year, store }
  const plaintext = JSON.stringify(payload).padEnd(DIRECT_TOKEN_PLAINTEXT_BYTES)
  return await new CompactEncrypt(new TextEncoder().encode(plaintext))
    .setProtectedHeader({ alg: DIRECT_TOKEN_ALG, enc: DIRECT_TOKEN_ENC, kid: session.id })
    .encrypt({ ...session['public-key'] })
}
