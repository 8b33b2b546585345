// What a page does by itself with jose: a session, the card as a compact JWE, its deposit.
import { encryptCard } from './jose-token.mjs'

const { origin } = new URL(document.currentScript.src)
const post = (path, body) => fetch(origin + path, { method: 'POST', body })
const opening = post('/sessions').then((response) => response.json())

globalThis.firstToken = async (card) => {
  const token = await encryptCard(card, await opening)
  const { status } = await post('/direct-tokens', token)
  if (status !== 201) throw new Error(`the deposit was answered ${status}`)
  return token
}
