import { HOUR_MS } from '@cofre/contracts'
import { NOW_MS as SHOWN_AT_MS, OTHER_STORE_ID, STORE_ID, pixPayment } from '@cofre/panel/testing'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  openTestGateway,
  railRequest,
} from '../../gateway/src/gateway.fixture.js'
import { type FinderStage, describePaymentFinder } from './payment-finder.conformance.js'
import { FOLLOWED, searchOf } from './search.fixture.js'
import { readAll } from './sql/search-index.fixture.js'
import { fakeFinder, nothingFound } from './testing.js'

const OTHER_STORE = { ...MERCHANT, id: 'store-2' }

const opened: TestGateway[] = []
afterAll(async () => {
  for (const test of opened) await test.close()
})

for (const engine of TEST_ENGINES)
  describePaymentFinder(`the room's, on ${engine.name}`, async (): Promise<FinderStage> => {
    let nowMs = NOW_MS
    const clock = { now: () => nowMs }
    const test = await openTestGateway(engine, { ...FOLLOWED, clock, machineClock: clock })
    opened.push(test)
    for (const merchant of [MERCHANT, OTHER_STORE]) await test.gateway.saveMerchant(merchant)
    return {
      finder: searchOf(test).payments,
      storeId: MERCHANT.id,
      otherStoreId: OTHER_STORE.id,
      payerDocument: '529.982.247-25',
      openedAtMs: nowMs,
      async sell(orders) {
        const codes: string[] = []
        for (const { reference, method, atMs } of orders) {
          nowMs = atMs
          const body = railRequest(reference, method)
          const { json } = await test.send('POST', '/transactions', { body })
          codes.push((json.transaction as { code: string }).code)
        }
        nowMs += HOUR_MS
        await readAll(test.database, nowMs)
        return codes
      },
    }
  })

describePaymentFinder('of tests of pages', () => {
  const transactions: { transaction: ReturnType<typeof pixPayment>; refunds: [] }[] = []
  return Promise.resolve({
    finder: fakeFinder({ ...nothingFound(), transactions, failure: undefined }),
    storeId: STORE_ID,
    otherStoreId: OTHER_STORE_ID,
    payerDocument: '52998224725',
    openedAtMs: SHOWN_AT_MS,
    sell(orders) {
      const sold = orders.map(({ reference, method, atMs }, index) =>
        pixPayment({
          code: 2001 + index,
          reference,
          paymentType: method === 'boleto' ? 'postpay' : 'eft',
          createdAtMs: atMs,
        }),
      )
      transactions.push(
        ...sold.toReversed().map((transaction) => ({ transaction, refunds: [] as [] })),
      )
      return Promise.resolve(sold.map(({ code }) => String(code)))
    },
  })
})
