import { minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import type { PurchaseLimits } from '../../model/purchase/purchase-rules.js'
import type { Transaction, TransactionCode } from '../../model/transaction/transaction.js'
import { type TransactionStore, createSqlTransactionStore } from './transaction-store-sql.js'

const HUGE = minorUnits(1_000_000_000)
const LIMITS: PurchaseLimits = { perTransactionMinor: HUGE, perPeriodMinor: undefined }

const INSERTED = { refusedBins: [] }

for (const engine of TEST_ENGINES) {
  describe(`an intent on ${engine.name}`, () => {
    let test: TestGateway
    let store: TransactionStore
    let paid: Transaction
    let made = 0
    beforeEach(async () => {
      test = await openTestGateway(engine)
      onTestFinished(() => test.close())
      store = createSqlTransactionStore(test.database, [])
      await test.send('POST', '/transactions', { body: cardRequest('paid') })
      paid = (await store.findByReference(MERCHANT.id, 'paid'))!
    })

    const intent = (changes: Partial<Transaction>): Transaction => {
      made += 1
      const code = made as TransactionCode
      return { ...paid, status: 'PENDING', open: true, code, publicId: `p-${made}`, ...changes }
    }

    it('of a blocked payer leaves nothing, and keeps no other from the reference', async () => {
      const row = { payer: 'blocked@example.com', by_provider: 0 }
      await test.database.transact((trx) => trx.insertInto('blocked_payers').values(row).execute())
      const emails = Array.from({ length: 24 }, (_, index) =>
        index % 3 === 1 ? 'good@example.com' : 'Blocked@example.com',
      )
      const claim = {
        machineNowMs: NOW_MS * 2,
        leaseMs: 1,
        limit: 100,
        unreadable: () => undefined,
      }
      const [claimed, ...answers] = await Promise.all([
        store.claimOpenIntents(claim, ['credit-card']),
        ...emails.map((payerEmail) =>
          store.insertIntent(intent({ reference: 'one', payerEmail }), LIMITS),
        ),
      ])
      const inserted = emails.filter((_, index) => typeof answers[index] === 'object')
      expect(inserted).toEqual(['good@example.com'])
      expect(claimed.map(({ payerEmail }) => payerEmail)).not.toContain('Blocked@example.com')
      // The first claim may have been late enough to take it.
      const machineNowMs = claim.machineNowMs + claim.leaseMs
      const open = await store.claimOpenIntents({ ...claim, machineNowMs }, ['credit-card'])
      expect(open.map(({ payerEmail }) => payerEmail)).toEqual(['good@example.com'])
    })

    it('beyond the limit leaves nothing, neither its reference nor a change to whose code it drew', async () => {
      const payerDocument = '11144477735'
      const limits = { ...LIMITS, perPeriodMinor: minorUnits(paid.amountMinor * 2) }
      const insert = (reference: string, changes: Partial<Transaction> = {}) =>
        store.insertIntent(intent({ reference, payerDocument, ...changes }), limits)
      expect(await insert('a')).toEqual(INSERTED)
      expect(await insert('b')).toEqual(INSERTED)
      expect(await insert('c')).toBe('limit_exceeded')
      expect(await store.findByReference(MERCHANT.id, 'c')).toBeUndefined()
      expect(await insert('a')).toBe('reference_used')
      const { code } = (await store.findByReference(MERCHANT.id, 'a'))!
      expect(await insert('c', { code })).toBe('limit_exceeded')
      expect(
        await insert('c', { code, payerDocument: '52998224725', amountMinor: minorUnits(1) }),
      ).toBe('code_taken')
      expect((await store.findByReference(MERCHANT.id, 'a'))?.code).toBe(code)
      expect(await insert('c', { payerDocument: '39053344705' })).toEqual(INSERTED)
    })

    it('is settled by one of several at the same moment, and its store notified once', async () => {
      await store.insertIntent(intent({ reference: 'race' }), LIMITS)
      const race = (await store.findByReference(MERCHANT.id, 'race'))!
      const settle = (status: 'COMPLETE' | 'CANCELLED') =>
        store.settle(race, { status, open: false, atMs: NOW_MS })
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => settle(i % 2 === 0 ? 'COMPLETE' : 'CANCELLED')),
      )
      const [winner] = new Set(answers.map(({ status }) => status))
      for (const { status, open } of answers)
        expect({ status, open }).toEqual({ status: winner, open: false })
      const reported = await test.database.reader
        .selectFrom('notifications')
        .select(['position', 'status', 'url', 'merchant_id', 'blocked'])
        .where('transaction_code', '=', race.code)
        .execute()
      expect(reported).toEqual([
        {
          position: 1,
          status: winner,
          url: race.notificationUrl,
          merchant_id: MERCHANT.id,
          blocked: 0,
        },
      ])
    })

    it('whose outcome was unknown is notified behind what is still to be sent', async () => {
      await store.insertIntent(intent({ reference: 'slow' }), LIMITS)
      const slow = (await store.findByReference(MERCHANT.id, 'slow'))!
      await store.settle(slow, { status: 'UNDER-REVIEW', open: true, atMs: NOW_MS })
      await store.settle(slow, { status: 'CANCELLED', open: false, atMs: NOW_MS + 1 })
      const reported = await test.database.reader
        .selectFrom('notifications')
        .select(['position', 'status', 'created_at', 'blocked'])
        .where('transaction_code', '=', slow.code)
        .orderBy('position')
        .execute()
      expect(reported).toEqual([
        { position: 1, status: 'UNDER-REVIEW', created_at: NOW_MS, blocked: 0 },
        { position: 2, status: 'CANCELLED', created_at: NOW_MS + 1, blocked: 1 },
      ])
    })
  })
}
