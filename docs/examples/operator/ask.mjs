// Asks the API of operators, signed with Ed25519:
// node ask.mjs POST /sandbox/stores '{"name":"Loja"}'
import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process from 'node:process'

const { OPERATOR_API = 'http://127.0.0.1:8093', OPERATOR_KEY_ID, OPERATOR_KEY_FILE } = process.env
const privateKey = createPrivateKey(readFileSync(OPERATOR_KEY_FILE))

async function ask(method, path, body) {
  // The same for a request that is sent again, because its answer was lost.
  const idempotencyKey = method === 'POST' ? randomBytes(16).toString('hex') : undefined
  const sha256 = createHash('sha256')
    .update(body ?? '')
    .digest('base64')
  const covered = [
    ['@method', method],
    ['@target-uri', OPERATOR_API + path],
    ...(body === undefined ? [] : [['content-digest', `sha-256=:${sha256}:`]]),
    ...(idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey]]),
  ]
  const names = covered.map(([name]) => `"${name}"`).join(' ')
  const created = Math.floor(Date.now() / 1000)
  const nonce = randomBytes(16).toString('base64url')
  const input = `(${names});created=${created};keyid="${OPERATOR_KEY_ID}";nonce="${nonce}";alg="ed25519"`
  const signed = [...covered, ['@signature-params', input]]
  const text = signed.map(([name, value]) => `"${name}": ${value}`).join('\n')
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64')
  const answer = await fetch(OPERATOR_API + path, {
    method,
    body,
    headers: {
      Accept: 'application/vnd.cofre.v2+json; charset=UTF-8',
      'Content-Type': 'application/json',
      ...Object.fromEntries(covered.slice(2)),
      'Signature-Input': `cofre=${input}`,
      Signature: `cofre=:${signature}:`,
    },
  })
  return await answer.text()
}

const [method, path, body] = process.argv.slice(2)
console.log(await ask(method, path, body))
