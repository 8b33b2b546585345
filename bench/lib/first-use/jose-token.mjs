// The one thing that a page needs jose for: a card as a compact JWE for a session.
import { CompactEncrypt } from 'jose'

const PLAINTEXT_BYTES = 192

export function encryptCard({ creditCard, cvv, expiration }, session) {
  const card = JSON.stringify({ number: creditCard, cvv, ...expiration })
  return new CompactEncrypt(new TextEncoder().encode(card.padEnd(PLAINTEXT_BYTES)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: session.id })
    .encrypt(session['public-key'])
}
