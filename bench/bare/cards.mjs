// The minimal work of a vault before a payment: a key pair for each session, and a decryption and a
// durable row for each deposit.
import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import * as jose from 'jose'
import { openStore } from './durable-store.mjs'

const TTL_MS = 900_000
const DEPOSITS = {
  name: 'vault',
  tables: `create table direct_tokens (digest text primary key, card bytea not null,
    expires_at bigint not null)`,
  statements: { insertToken: 'insert into direct_tokens values (?, ?, ?)' },
}
const generate = promisify(generateKeyPair)

/** Makes a key pair, and stores none. */
export async function sessions(context) {
  const { publicKey } = await generate('ec', { namedCurve: 'P-256' })
  return context.json({ key: publicKey.export({ format: 'jwk' }) }, 201)
}

/** Decrypts a token and stores its content; a GET returns the public key. */
export async function deposits(place) {
  const store = await openStore(place, DEPOSITS)
  const keys = await jose.generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const publicKey = await jose.exportJWK(keys.publicKey)
  return async (context) => {
    if (context.req.method === 'GET') return context.json(publicKey)
    const token = await context.req.text()
    const { plaintext } = await jose.compactDecrypt(token, keys.privateKey)
    const digest = createHash('sha256').update(token).digest('base64url')
    await store.commit([['insertToken', digest, plaintext, Date.now() + TTL_MS]])
    return context.json({}, 201)
  }
}
