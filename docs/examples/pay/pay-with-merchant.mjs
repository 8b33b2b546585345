// Charges by PIX, then asks how the transaction is doing, with @cofre/merchant. In the environment:
// COFRE_API (http://127.0.0.1:8081), COFRE_STORE_ID, COFRE_SECRET.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { MerchantError, createMerchantClient } from '@cofre/merchant'

const { COFRE_API, COFRE_STORE_ID, COFRE_SECRET } = process.env
const cofre = createMerchantClient({
  baseUrl: COFRE_API,
  storeId: COFRE_STORE_ID,
  secret: COFRE_SECRET,
  language: 'en', // of error messages; without it they are in Portuguese
})

const reference = `order-${Date.now()}-${process.pid}`
const order = JSON.parse(readFileSync(new URL('order.json', import.meta.url), 'utf8'))
order.transaction.reference = reference

try {
  const { transaction } = await cofre.createTransaction(order, { idempotencyKey: reference })
  console.log(transaction.status, transaction.code, transaction['payment-code'])

  const found = await cofre.findTransaction(transaction.code)
  console.log(found.status)
} catch (error) {
  if (!(error instanceof MerchantError)) throw error
  console.error(error.message) // what is wrong, and what to do
  process.exitCode = 1
}
