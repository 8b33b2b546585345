// What a page does by itself with jose: a session, the card as a compact JWE, its deposit.
import { CompactEncrypt, importJWK } from 'jose'

const PLAINTEXT_BYTES = 192
const { origin } = new URL(document.currentScript.src)
const post = (path, body) => fetch(origin + path, { method: 'POST', body })
const opening = post('/sessions').then((response) => response.json())

globalThis.firstToken = async ({ creditCard, cvv, expiration }) => {
  const session = await opening
  const card = JSON.stringify({ number: creditCard, cvv, ...expiration })
  const token = await new CompactEncrypt(new TextEncoder().encode(card.padEnd(PLAINTEXT_BYTES)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: session.id })
    .encrypt(await importJWK(session['public-key'], 'ECDH-ES'))
  const { status } = await post('/direct-tokens', token)
  if (status !== 201) throw new Error(`the deposit was answered ${status}`)
  return token
}
