import type { SettlementLine } from '@cofre/contracts'
import { onTestFinished } from 'vitest'
import {
  APPROVED,
  MERCHANT,
  NOW_MS,
  cardRequest,
  railRequest,
} from '../../../gateway/src/gateway.fixture.js'
import { describePaymentPart } from '../../../gateway/src/model/back-office/payment-part.conformance.js'
import { readAll } from '../../../search/src/sql/search-index.fixture.js'
import { openSettled } from '../settlements.fixture.js'
import { paidOutPart } from './paid-out-sql.js'

const SALE = {
  line: 2,
  kind: 'sale',
  grossMinor: 10_000,
  feeMinor: 300,
  netMinor: 9_700,
  paidOn: new Date(NOW_MS).toISOString().slice(0, 10),
} as const satisfies SettlementLine

describePaymentPart('paidOut', {
  value: [{ kind: 'sale', result: 'matched', grossMinor: 10_000, feeMinor: 300, netMinor: 9_700 }],
  async open(engine) {
    const test = await openSettled(engine)
    onTestFinished(() => test.close())
    const charge = { accountId: 'adyen-1', provider: 'adyen' }
    test.answerCards(() => Promise.resolve({ ...APPROVED, charge }))
    const pay = async (body: { readonly transaction: { readonly reference: string } }) => {
      await test.send('POST', '/transactions', { body })
      const { reference } = body.transaction
      return (await test.parts.transactions.findByReference(MERCHANT.id, reference))!
    }
    const having = await pay(cardRequest('order-1'))
    const lacking = await pay(cardRequest('order-2'))
    // A payment that was not paid has no payout.
    const foreign = await pay(railRequest('order-3', 'boleto'))
    test.time.nowMs += 1000
    await readAll(test.database, test.time.nowMs + 600_000)
    await test.settlements.upload(
      {
        storeId: MERCHANT.id,
        format: 'adyen',
        accountId: undefined,
        name: 'report.csv',
        actor: 'person:per_1',
      },
      {
        lines: (async function* () {
          yield { ...SALE, transactionCode: String(having.code) }
          await Promise.resolve()
        })(),
        read: () => ({ sha256: 'content 1', bytes: 1000 }),
      },
    )
    await test.compareAll()
    return { part: paidOutPart(test.own), having, lacking, foreign }
  },
})
