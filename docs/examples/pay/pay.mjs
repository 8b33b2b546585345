// Charges by PIX, then asks how the transaction is doing. Needs Node alone, and in the environment:
// COFRE_API (http://127.0.0.1:8081), COFRE_STORE_ID, COFRE_SECRET.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import process from 'node:process'

const { COFRE_API, COFRE_STORE_ID, COFRE_SECRET } = process.env

/** Signs and sends; resolves with the answer's JSON. A refusal ends the program with the reason. */
async function call(version, target, { body, idempotencyKey } = {}) {
  const md5 = body === undefined ? undefined : createHash('md5').update(body).digest('hex')
  const message = target + (md5 === undefined ? '' : Buffer.from(md5).toString('base64'))
  const signature = createHmac('sha256', COFRE_SECRET).update(message).digest('hex')
  const answer = await fetch(COFRE_API + target, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `${COFRE_STORE_ID}:${signature}`,
      Accept: `application/vnd.cofre.${version}+json; charset=UTF-8`,
      'Accept-Language': 'en', // of error messages; without it they are in Portuguese
      'Content-Type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    body,
  })
  const json = await answer.json()
  if (answer.ok) return json
  for (const { code, message } of json.errors) console.error(code, message)
  process.exit(1)
}

const reference = `order-${Date.now()}-${process.pid}`
const order = readFileSync(new URL('order.json', import.meta.url), 'utf8')
const body = order.replace('REFERENCE', reference)

const { transaction } = await call('v2', '/transactions', { body, idempotencyKey: reference })
console.log(transaction.status, transaction.code, transaction['payment-code'])

const found = await call('v1', `/transactions/${transaction.code}`)
console.log(found['transaction-result'].transactions[0].status)
