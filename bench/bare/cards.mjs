// What the vault cannot do without before a payment: a key pair for each session, and a decryption
// and a durable row for each deposit.
import { createHash, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import * as jose from 'jose'
import { openStore } from './durable-store.mjs'

const SESSION_MS = 900_000
const KEY_PAIR = {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'der' },
}

const generate = promisify(generateKeyPair)

/** Generates a key pair; with several processes, on PostgreSQL, they share its unlogged row. */
export async function sessions(place) {
  const store = place.startsWith('postgres') ? await openStore(place, SESSIONS) : undefined
  let sessionCount = 0
  return async (context) => {
    const { publicKey, privateKey } = await generate('ec', KEY_PAIR)
    const id = `${Date.now()}-${++sessionCount}`
    await store?.commit([['insertSession', id, privateKey, Date.now() + SESSION_MS]])
    return context.json({ id, key: publicKey.toString('base64url') }, 201)
  }
}

const SESSIONS = {
  name: 'vault',
  tables: `create unlogged table sessions (id text primary key, private_key bytea not null,
    expires_at bigint not null)`,
  statements: { insertSession: 'insert into sessions values (?, ?, ?)' },
}

/** Decrypts a token and keeps what it held; the public key is what a GET answers. */
export async function deposits(place) {
  const store = await openStore(place, DEPOSITS)
  const keys = await jose.generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const publicKey = await jose.exportJWK(keys.publicKey)
  return async (context) => {
    if (context.req.method === 'GET') return context.json(publicKey)
    const token = await context.req.text()
    const { plaintext } = await jose.compactDecrypt(token, keys.privateKey)
    const digest = createHash('sha256').update(token).digest('base64url')
    await store.commit([['insertToken', digest, plaintext, Date.now() + SESSION_MS]])
    return context.json({}, 201)
  }
}

const DEPOSITS = {
  name: 'vault',
  tables: `create table direct_tokens (digest text primary key, card bytea not null,
    expires_at bigint not null)`,
  statements: { insertToken: 'insert into direct_tokens values (?, ?, ?)' },
}
