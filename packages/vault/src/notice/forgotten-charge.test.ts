import { DAY_MS, MINUTE_MS, minorUnits, refundReference } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type AcquirerChange, type AcquirerEvent } from '@cofre/provider-kit/card'
import { FOLLOWED_FOR_MS } from '../authorization/card-charge.js'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import {
  ACCOUNT,
  CHARGED_AT_MS,
  CODE,
  PAYMENT,
  TestBooks,
  addAccount,
  readableAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import { testNotices } from './notices.fixture.js'

const KEY = { installation: 'test', environment: 'production', transactionCode: CODE } as const
const REFUND = {
  ...KEY,
  merchantId: 'store-1',
  refundId: '7',
  amountMinor: minorUnits(3000),
} as const

function event(change: AcquirerChange, changes: Partial<AcquirerEvent> = {}): AcquirerEvent {
  return {
    id: change,
    change,
    reference: `testp${CODE}`,
    paymentId: PAYMENT,
    returnId: undefined,
    amountMinor: minorUnits(10_000),
    atMs: CHARGED_AT_MS,
    detail: undefined,
    ...changes,
  }
}

const REFUNDED = event('refunded', {
  reference: refundReference(KEY, '7'),
  amountMinor: REFUND.amountMinor,
})

for (const engine of TEST_ENGINES)
  describe(`The record of charges that are over, on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    let books: TestBooks
    beforeEach(async () => {
      test = await openTestVault(engine)
      books = new TestBooks()
      const connection = { acquirer: readableAcquirer(books), notices: testNotices }
      vault = createVault({ ...test.deps, connectionOf: () => Promise.resolve(connection) })
      await addAccount(test.deps)
      await storeCharge(test.database)
      expect(await vault.refund(REFUND)).toEqual({ kind: 'done' })
      await take(REFUNDED, event('dispute_announced'))
      test.clock.nowMs = CHARGED_AT_MS + FOLLOWED_FOR_MS
    })
    afterEach(() => test.database.close())

    const take = (...events: AcquirerEvent[]) => vault.acceptNotice(ACCOUNT, { events })
    const acknowledge = async () => {
      const reported = await vault.changes('production')
      await vault.acknowledge(
        'production',
        reported.map(({ id }) => id),
      )
    }
    const heard = async () => {
      const rows = await Promise.all(
        (['card_events', 'card_changes', 'card_returns', 'card_looks'] as const).map((table) =>
          test.database.reader.selectFrom(table).select('transaction_code').execute(),
        ),
      )
      return rows.map(({ length }) => length)
    }

    it('is removed once all changes are reported, and never comes back', async () => {
      test.clock.nowMs += FOLLOWED_FOR_MS
      await vault.sweep()
      expect(await heard()).toEqual([2, 2, 1, 0])
      await acknowledge()
      await vault.sweep()
      expect(await heard()).toEqual([0, 0, 0, 0])
      expect(await vault.refund({ ...REFUND, refundId: '9' })).toMatchObject({ kind: 'refused' })
      const late = await take(REFUNDED, event('charged_back'))
      expect(late).toEqual(['unknown_charge', 'unknown_charge'])
      books.refunds.push({ refundId: 'people', amountMinor: 500 })
      expect(await vault.acceptNotice(ACCOUNT, { hints: [PAYMENT] })).toEqual(['hint'])
      test.clock.nowMs += MINUTE_MS
      await vault.followUpCharges()
      expect(await heard()).toEqual([0, 0, 0, 0])
    })

    it('leaves a refund to be made on the last day of the longest window', async () => {
      await acknowledge()
      test.clock.nowMs = CHARGED_AT_MS + 690 * DAY_MS
      await vault.sweep()
      expect(await vault.refund({ ...REFUND, refundId: '9' })).toEqual({ kind: 'done' })
      expect(await vault.refund(REFUND)).toEqual({ kind: 'done' })
      expect(books.returnedMinor).toBe(6000)
    })

    it('is kept until then, and while a refund is open', async () => {
      await acknowledge()
      await vault.sweep()
      expect(await heard()).toEqual([2, 2, 1, 0])
      await test.database.transact((trx) =>
        trx.updateTable('card_returns').set({ ended_at_ms: null }).execute(),
      )
      test.clock.nowMs += 2 * FOLLOWED_FOR_MS
      await vault.sweep()
      expect(await heard()).toEqual([2, 2, 1, 0])
    })
  })
