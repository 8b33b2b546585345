import {
  TRANSACTION_STATUSES,
  type TransactionStatus,
  mayBecome,
  minorUnits,
} from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'
import { NO_PURCHASE } from '../model/purchase/purchase-rules.js'
import {
  type Transaction,
  type TransactionCode,
  statusOfOutcome,
} from '../model/transaction/transaction.js'
import type { TransactionStore } from '../ledger/transaction/transaction-store-sql.js'

const OUTCOMES = ['approved', 'declined', 'pending', 'review', 'unknown'] as const
const AMOUNT = minorUnits(100)

type Report =
  | { readonly by: 'payment method'; readonly outcome: (typeof OUTCOMES)[number] }
  | { readonly by: 'bank'; readonly to: TransactionStatus }
  | { readonly by: 'worker that gives it up' }

const reports: fc.Arbitrary<Report[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({
        by: fc.constant('payment method'),
        outcome: fc.constantFrom(...OUTCOMES),
      }),
      weight: 4,
    },
    {
      arbitrary: fc.record({
        by: fc.constant('bank'),
        to: fc.constantFrom(...TRANSACTION_STATUSES),
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ by: fc.constant('worker that gives it up') }), weight: 1 },
  ),
  { minLength: 1, maxLength: 6 },
)

async function hear(store: TransactionStore, intent: Transaction, report: Report): Promise<void> {
  switch (report.by) {
    case 'payment method': {
      const { outcome } = report
      const status = statusOfOutcome(outcome)
      if ((await store.findByCode(intent.code)) !== undefined)
        await store.settle(intent, { status, open: outcome === 'unknown', atMs: NOW_MS })
      break
    }
    case 'bank':
      await store.changeStatus(intent.code, { to: report.to, atMs: NOW_MS })
      break
    case 'worker that gives it up':
      await store.withdrawIntent(intent)
  }
}

async function reported({ database }: TestGateway, code: number): Promise<TransactionStatus[]> {
  const rows = await database.reader
    .selectFrom('notifications')
    .select('status')
    .where('transaction_code', '=', code)
    .orderBy('position')
    .execute()
  return rows.map(({ status }) => status)
}

async function bought({ database }: TestGateway, payer: string): Promise<number> {
  const row = await database.reader
    .selectFrom('payer_purchases')
    .select((of) => of.fn.sum<number | string | null>('bought').as('bought'))
    .where('payer_document', '=', payer)
    .executeTakeFirst()
  return Number(row?.bought ?? 0)
}

for (const engine of TEST_ENGINES) {
  describe(`whatever is reported of a transaction on ${engine.name}`, () => {
    it('takes its status forward only, notifies of each change, and counts what its payer has bought', async () => {
      const test = await openTestGateway(engine)
      onTestFinished(() => test.close())
      const store = test.parts.transactions
      await test.send('POST', '/transactions', { body: cardRequest('first') })
      const first = (await store.findByReference(MERCHANT.id, 'first'))!
      const limits = { perTransactionMinor: AMOUNT, perPeriodMinor: AMOUNT }
      let made = 0
      const check = async (sequence: readonly Report[]): Promise<void> => {
        made += 1
        const name = `p-${made}`
        const intent: Transaction = {
          ...first,
          ...{
            code: made as TransactionCode,
            reference: name,
            publicId: name,
            payerDocument: name,
          },
          ...{ status: 'PENDING', open: true, amountMinor: AMOUNT },
        }
        expect(await store.insertIntent(intent, limits)).toEqual({ refusedBins: [] })
        for (const report of sequence) {
          await hear(store, intent, report)
          const now = await store.findByCode(intent.code)
          const statuses: TransactionStatus[] = ['PENDING', ...(await reported(test, intent.code))]
          expect(now?.status ?? 'PENDING').toBe(statuses.at(-1))
          for (const [i, to] of statuses.slice(1).entries())
            expect([statuses[i], to, mayBecome(statuses[i]!, to)]).toEqual([statuses[i], to, true])
          const counts = now !== undefined && !NO_PURCHASE.includes(now.status)
          expect(await bought(test, name)).toBe(counts ? AMOUNT : 0)
        }
      }
      await fc.assert(fc.asyncProperty(reports, check), {
        numRuns: engine.name === 'sqlite' ? 80 : 25,
      })
    })
  })
}
