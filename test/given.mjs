// The variables that the pages' snippets assume, as the pages state.
import process from 'node:process'
import { URL } from 'node:url'
import { PaymentMethod } from '@cofre/client'
import { createMerchantClient, createSandboxClient } from '@cofre/merchant'
import { readFileSync } from 'node:fs'

const { COFRE_API: baseUrl, COFRE_VAULT, COFRE_STORE_ID, COFRE_SECRET: secret } = process.env
const options = { baseUrl, storeId: COFRE_STORE_ID, secret }
const cofre = createMerchantClient(options)
const file = new URL('../docs/examples/pay/order.json', import.meta.url)
const order = JSON.parse(readFileSync(file, 'utf8'))
order.transaction.reference = `given-${Date.now()}-${process.pid}`
const { transaction } = await cofre.createTransaction(order)
const paid = {
  ...order,
  transaction: { ...order.transaction, reference: `${order.transaction.reference}-2` },
}
const { code } = (await cofre.createTransaction(paid)).transaction
await createSandboxClient(options).setStatus(code, 'COMPLETE')
const refundId = await cofre.createRefund({
  'transaction-id': code,
  'notify-url': 'https://shop.example/refunds',
  reference: 'slow',
})

const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString()

const card = {
  creditCard: '4111111111111111',
  cvv: '123',
  expiration: { month: '12', year: '2030' },
}
const paymentMethod = new PaymentMethod({ baseUrl: COFRE_VAULT })
Object.assign(globalThis, {
  ...options,
  cofre,
  order: {
    ...order,
    transaction: { ...order.transaction, reference: `${order.transaction.reference}-3` },
  },
  transaction,
  refundId,
  lastLook: yesterday,
  yesterday,
  card,
  paymentMethod,
  directToken: await paymentMethod.createDirectToken(card),
  setOrderStatus: () => Promise.resolve(),
})
