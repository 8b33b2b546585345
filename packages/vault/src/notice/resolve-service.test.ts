import { DAY_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CancelKey, insertCancel } from '../authorization/card-cancel-sql.js'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import {
  ACCOUNT,
  CHARGED_AT_MS,
  CODE,
  TestBooks,
  addAccount,
  replayingAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { testNotices } from './notices.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'

const actor = 'operator:maria'
const CHARGE = { environment: 'production', transactionCode: CODE } as const
const REFUND = { environment: 'production', name: '7' } as const
const SURPLUS = { ...CHARGE, paymentId: 'P2' }
const BY_OUR_KEY = { ...CHARGE, paymentId: undefined }

for (const engine of TEST_ENGINES)
  describe(`what stays undecided on ${engine.name}`, () => {
    let test: TestVault
    let vault: Vault
    let books: TestBooks
    beforeEach(async () => {
      test = await openTestVault(engine)
      books = new TestBooks()
      vault = createVault({
        ...test.deps,
        connectionOf: () =>
          Promise.resolve({ acquirer: replayingAcquirer(books), notices: testNotices }),
      })
      await addAccount(test.deps)
      test.clock.nowMs = CHARGED_AT_MS
    })
    afterEach(() => test.database.close())

    const administration = () => createVaultAdministration(test.deps)
    const requestCancel = (key: CancelKey) =>
      test.database.transact((trx) =>
        insertCancel(trx, key, { accountId: ACCOUNT, nowMs: test.clock.nowMs }),
      )
    const entries = () => administration().listAuditLog({ limit: 3 })

    it.each([
      [true, 'approved'],
      [false, 'declined'],
    ] as const)(
      'of a charge is ended by a person (charged: %s), after a week',
      async (isDone, outcome) => {
        await storeCharge(test.database, { state: 'pending' })
        const resolution = {
          isDone,
          reason: 'asked Adyen; card 4111 1111 1111 1111',
          actor,
        } as const
        const { resolveCharge } = administration()
        test.clock.nowMs += 7 * DAY_MS - 1
        expect(await resolveCharge(CHARGE, resolution)).toBe('too_early')
        test.clock.nowMs += 1
        expect(await resolveCharge(CHARGE, resolution)).toBe('resolved')
        expect(await resolveCharge(CHARGE, resolution)).toBe('not_open')
        const reported = await vault.changes('production')
        expect(reported).toMatchObject([{ change: { kind: 'settled', answer: { outcome } } }])
        expect(await entries()).toContainEqual(
          expect.objectContaining({
            actor,
            action: 'charge.resolved',
            environment: 'production',
            record: CODE,
            outcome: `${outcome}: asked Adyen; card ************`,
          }),
        )
      },
    )

    it.each([
      [true, 'PROCESSED', 'done'],
      [false, 'REJECTED', 'refused'],
    ] as const)(
      'of a refund is ended by a person (made: %s), after a week',
      async (isDone, outcome, kind) => {
        await storeCharge(test.database)
        const order = {
          ...CHARGE,
          merchantId: 'store-1',
          refundId: '7',
          amountMinor: minorUnits(3000),
        }
        await vault.refund(order)
        const resolution = { isDone, reason: 'asked Adyen', actor } as const
        const { resolveRefund } = administration()
        test.clock.nowMs += 7 * DAY_MS - 1
        expect(await resolveRefund(REFUND, resolution)).toBe('too_early')
        expect(await administration().slowRefunds()).toMatchObject([
          {
            name: '7',
            transactionCode: CODE,
            state: 'in_process',
            amountMinor: 3000,
            accountId: ACCOUNT,
          },
        ])
        test.clock.nowMs += 1
        expect(await resolveRefund(REFUND, resolution)).toBe('resolved')
        expect(await resolveRefund(REFUND, resolution)).toBe('not_open')
        expect(await vault.refund(order)).toMatchObject({ kind })
        expect(await vault.changes('production')).toMatchObject([
          { change: { kind: 'refund_ended', refundId: '7', outcome } },
        ])
        expect(await entries()).toContainEqual(
          expect.objectContaining({
            action: 'refund.resolved',
            record: '7',
            outcome: `${outcome}: asked Adyen`,
          }),
        )
        expect(await administration().slowRefunds()).toEqual([])
      },
    )

    it('of a refund is not ended while it is asked for', async () => {
      await storeCharge(test.database)
      const order = { ...CHARGE, merchantId: 'store-1', refundId: '7', amountMinor: minorUnits(1) }
      const detail = 'not now'
      books.faults.push({ before: { kind: 'not-sent', cause: 'limited', detail, retryAfterMs: 0 } })
      await vault.refund(order)
      test.clock.nowMs += 8 * DAY_MS
      const resolution = { isDone: false, reason: 'paid in cash', actor } as const
      const results: string[] = []
      books.meanwhile = async () => {
        results.push(await administration().resolveRefund(REFUND, resolution))
      }
      expect(await vault.refund(order)).toEqual({ kind: 'in_process' })
      expect(results).toEqual(['too_early'])
    })

    it.each([
      [true, 'undone'],
      [false, 'kept'],
    ] as const)(
      'of a cancel is ended by a person (made: %s), when it was refused, or after a day',
      async (isDone, word) => {
        await storeCharge(test.database)
        for (const cancel of [SURPLUS, BY_OUR_KEY]) await requestCancel(cancel)
        const resolution = { isDone, reason: 'asked Adyen', actor } as const
        const undecidedCharges = () => administration().undecidedCharges()
        const { resolveCancel } = administration()
        test.clock.nowMs += DAY_MS - 1
        expect(await resolveCancel(SURPLUS, resolution)).toBe('too_early')
        await test.database.transact((trx) =>
          trx.updateTable('card_cancels').set({ state: 'refused' }).execute(),
        )
        expect(await undecidedCharges()).toMatchObject({ charges: [], cancels: [{}, {}] })
        expect(await resolveCancel(SURPLUS, resolution)).toBe('resolved')
        expect(await resolveCancel(SURPLUS, resolution)).toBe('not_open')
        test.clock.nowMs += 1
        expect(await resolveCancel(BY_OUR_KEY, resolution)).toBe('resolved')
        expect(await undecidedCharges()).toEqual({ charges: [], cancels: [] })
        for (const payment of ['P2', 'by our key'])
          expect(await entries()).toContainEqual(
            expect.objectContaining({
              action: 'cancel.resolved',
              record: CODE,
              outcome: `${payment} ${word}: asked Adyen`,
            }),
          )
      },
    )

    it.each([
      [true, [{ change: { kind: 'settled', answer: { outcome: 'declined' } } }]],
      [false, []],
    ])('of a cancel by our key (made: %s) is of its charge, too', async (isDone, reported) => {
      await storeCharge(test.database, { state: 'ending', paymentId: undefined })
      await requestCancel(BY_OUR_KEY)
      test.clock.nowMs += DAY_MS
      const resolution = { isDone, reason: 'asked Adyen', actor } as const
      expect(await administration().resolveCancel(BY_OUR_KEY, resolution)).toBe('resolved')
      expect(await vault.changes('production')).toMatchObject(reported)
      test.clock.nowMs += 7 * DAY_MS
      expect((await administration().undecidedCharges()).charges).toHaveLength(isDone ? 0 : 1)
    })

    it('of a charge is not ended while it is asked for', async () => {
      await storeCharge(test.database, { state: 'pending' })
      test.clock.nowMs += 8 * DAY_MS
      const leaseUntil = (leaseUntilMs: number) =>
        test.database.transact((trx) =>
          trx.updateTable('card_charges').set({ lease_until_ms: leaseUntilMs }).execute(),
        )
      await leaseUntil(test.clock.nowMs + 1)
      const resolution = { isDone: false, reason: 'not at Adyen', actor } as const
      const { resolveCharge } = administration()
      expect(await resolveCharge(CHARGE, resolution)).toBe('too_early')
      test.clock.nowMs += 1
      expect(await resolveCharge(CHARGE, resolution)).toBe('resolved')
    })

    it('of a charge ends its cancel by our key, too', async () => {
      await storeCharge(test.database, { state: 'ending', paymentId: undefined })
      await requestCancel(BY_OUR_KEY)
      test.clock.nowMs += 7 * DAY_MS
      const { resolveCharge } = administration()
      expect((await vault.census()).undecidedCharges).toEqual({ production: 0, sandbox: 0 })
      test.clock.nowMs += 1
      expect(await vault.census()).toMatchObject({
        undecidedCharges: { production: 1, sandbox: 0 },
        openCancels: { production: 1, sandbox: 0 },
      })
      const resolution = { isDone: false, reason: 'not at Adyen', actor } as const
      expect(await resolveCharge(CHARGE, resolution)).toBe('resolved')
      expect(await administration().undecidedCharges()).toEqual({ charges: [], cancels: [] })
    })

    it('cannot be ended if it does not exist', async () => {
      const resolution = { isDone: true, reason: 'asked Adyen', actor } as const
      const { resolveCancel, resolveCharge, resolveRefund } = administration()
      expect(await resolveCharge(CHARGE, resolution)).toBe('not_open')
      expect(await resolveRefund(REFUND, resolution)).toBe('not_open')
      expect(await resolveCancel(SURPLUS, resolution)).toBe('not_open')
    })
  })
