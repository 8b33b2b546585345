import { DAY_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Acquirer } from '@cofre/provider-kit/card'
import { insertCancel } from '../authorization/card-cancel-sql.js'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import {
  ACCOUNT,
  PAYMENT,
  TestBooks,
  addAccount,
  readableAcquirer,
  replayingAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import { KEY, type TestNotice, event, testNotices } from './notices.fixture.js'

for (const engine of TEST_ENGINES)
  describe(`events on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    let books: TestBooks
    let acquirer: Acquirer
    beforeEach(async () => {
      test = await openTestVault(engine)
      books = new TestBooks()
      acquirer = replayingAcquirer(books)
      vault = createVault({
        ...test.deps,
        connectionOf: () => Promise.resolve({ acquirer, notices: testNotices }),
      })
      await addAccount(test.deps)
    })
    afterEach(() => test.database.close())

    const take = (notice: TestNotice, account = ACCOUNT) => vault.acceptNotice(account, notice)
    const changes = async () => (await vault.changes('production')).map(({ change }) => change)

    it('of another account change nothing', async () => {
      await addAccount(test.deps, { id: 'conta-2' })
      await storeCharge(test.database)
      expect(await take({ events: [event('charged_back')] }, 'conta-2')).toEqual(['foreign'])
      expect(await take({ hints: [PAYMENT] }, 'conta-2')).toEqual(['foreign'])
    })

    it('of another account that approve a further payment of an order are reported', async () => {
      await addAccount(test.deps, { id: 'conta-2' })
      await storeCharge(test.database)
      const further = event('approved', { paymentId: 'FURTHER' })
      expect(await take({ events: [further] }, 'conta-2')).toEqual(['unknown_charge'])
      expect(await take({ events: [event('approved')] }, 'conta-2')).toEqual(['foreign'])
      expect(await changes()).toEqual([])
    })

    it('of another account that approve wait for the end of the charge', async () => {
      await addAccount(test.deps, { id: 'conta-2' })
      await storeCharge(test.database, { state: 'asked', paymentId: undefined })
      const further = event('approved', { paymentId: 'FURTHER' })
      expect(await take({ events: [further] }, 'conta-2')).toEqual(['early'])
      expect(await take({ events: [event('declined')] }, 'conta-2')).toEqual(['foreign'])
      expect(await take({ events: [event('approved')] })).toEqual(['applied'])
      test.clock.nowMs += 5 * SECOND_MS
      await vault.followUpCharges()
      const tooMany = test.log.lines.filter((line) => line.includes('did not charge'))
      expect(tooMany).toEqual([expect.stringContaining('FURTHER')])
    })

    it('that came early are applied when the clock was set back by a day', async () => {
      await storeCharge(test.database, { state: 'asked', paymentId: undefined })
      const asks = (lease_until_ms: number) =>
        test.database.transact((trx) =>
          trx.updateTable('card_charges').set({ lease_until_ms }).execute(),
        )
      await asks(test.clock.nowMs + SECOND_MS)
      expect(await take({ events: [event('approved')] })).toEqual(['early'])
      await asks(0)
      test.clock.nowMs -= DAY_MS
      await vault.followUpCharges()
      expect(await changes()).toMatchObject([{ kind: 'settled' }])
    })

    it('that the account of before sent early contradict nothing', async () => {
      await addAccount(test.deps, { id: 'conta-2' })
      await storeCharge(test.database, { state: 'asked', paymentId: undefined })
      const asks = (account_id: string, lease_until_ms: number) =>
        test.database.transact((trx) =>
          trx.updateTable('card_charges').set({ account_id, lease_until_ms }).execute(),
        )
      await asks(ACCOUNT, test.clock.nowMs + SECOND_MS)
      expect(await take({ events: [event('declined')] })).toEqual(['early'])
      await asks('conta-2', 0)
      test.clock.nowMs += 5 * SECOND_MS
      await vault.followUpCharges()
      expect(test.log.lines.join('\n')).not.toContain('contradicts')
      expect(await changes()).toEqual([])
    })

    it.each([
      ['requested', 'wanted', 30 * SECOND_MS],
      ['accepted', 'in_process', 0],
    ] as const)('that approve what is being cancelled wait: %s', async (_, state, leasedForMs) => {
      await storeCharge(test.database, { state: 'ending', paymentId: undefined })
      const nowMs = test.clock.nowMs
      await test.database.transact(async (trx) => {
        const byOurKey = { ...KEY, paymentId: undefined }
        await insertCancel(trx, byOurKey, { accountId: ACCOUNT, nowMs: nowMs + DAY_MS })
        const lease = { state, lease_until_ms: nowMs + leasedForMs }
        await trx.updateTable('card_cancels').set(lease).execute()
      })
      expect(await take({ events: [event('approved')] })).toEqual(['early'])
      expect(await take({ events: [event('cancelled')] })).toEqual(['applied'])
      expect(await changes()).toMatchObject([{ answer: { outcome: 'declined' } }])
    })

    it('that are hints find refunds, made at the acquirer, of a charge without an answer', async () => {
      acquirer = readableAcquirer(books)
      await storeCharge(test.database, { state: 'asked' })
      books.refunds.push({ refundId: 'people', amountMinor: 500 })
      await take({ hints: [PAYMENT] })
      for (let i = 0; i < 2; i++) {
        test.clock.nowMs += 10 * SECOND_MS
        await vault.followUpCharges()
      }
      const reported = (await changes()).map(({ kind }) => kind)
      expect(reported).toEqual(['settled', 'provider_refund'])
    })
  })
