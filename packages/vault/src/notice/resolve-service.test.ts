import { DAY_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CancelKey, insertCancel } from '../authorization/card-cancel-sql.js'
import { AuthorizedPayment, processAt, refusedAs } from '../capture/authorized.fixture.js'
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

    describe('of an authorized charge', () => {
      const key = { ...CHARGE, merchantId: 'store-1' }
      const person = { reason: 'asked Adyen', actor } as const
      const reportedEnd = async () => (await vault.changes('production')).map((one) => one.change)
      let payment: AuthorizedPayment
      beforeEach(async () => {
        payment = new AuthorizedPayment()
        payment.isSlow = true
        vault = processAt(test, payment.acquirer)
        await storeCharge(test.database, { captureDays: 7 })
      })
      const captureOf = (amountMinor: number) =>
        vault.capture({ ...key, amountMinor: minorUnits(amountMinor) })

      it.each([
        [undefined, 4000, '40.00', 'done'],
        [minorUnits(2501), 2501, '25.01', 'overtaken'],
      ] as const)(
        'is ended as captured by a person (in part: %s), after a day',
        async (capturedMinor, amountMinor, text, kind) => {
          const { resolveCapture, slowCaptures } = administration()
          await captureOf(4000)
          const end = { ...person, end: 'captured', capturedMinor } as const
          test.clock.nowMs += DAY_MS - 1
          expect(await resolveCapture(CHARGE, end)).toBe('too_early')
          expect(await slowCaptures()).toEqual([])
          test.clock.nowMs += 1
          expect(await slowCaptures()).toMatchObject([
            { operation: 'capture', amountMinor: 4000, accountId: ACCOUNT },
          ])
          const tooMuch = { ...end, capturedMinor: minorUnits(10_001) }
          expect(await resolveCapture(CHARGE, tooMuch)).toBe('too_much')
          expect(await resolveCapture(CHARGE, end)).toBe('resolved')
          expect(await resolveCapture(CHARGE, end)).toBe('not_open')
          expect(await reportedEnd()).toEqual([{ kind: 'captured', amountMinor }])
          expect(await captureOf(4000)).toMatchObject({ kind })
          expect(payment.captures).toHaveLength(1)
          expect((await vault.census()).openCaptures).toEqual([])
          expect(await entries()).toContainEqual(
            expect.objectContaining({
              actor,
              action: 'capture.resolved',
              environment: 'production',
              record: CODE,
              outcome: `captured ${text}: asked Adyen`,
            }),
          )
        },
      )

      it.each([
        ['a void', 1, 'void', 'done'],
        ['a void whose time is over', 8, 'void', 'done'],
        ['a capture', 1, 'provider', 'released'],
        ['a capture whose time is over', 8, 'expired', 'released'],
      ] as const)('is ended as released by a person: %s', async (ordered, days, by, kind) => {
        const { resolveCapture } = administration()
        const ask = () => (ordered.startsWith('a void') ? vault.voidCharge(key) : captureOf(4000))
        await ask()
        test.clock.nowMs += days * DAY_MS
        expect(await resolveCapture(CHARGE, { ...person, end: 'released' })).toBe('resolved')
        expect(await reportedEnd()).toEqual([{ kind: 'released', by }])
        expect(await ask()).toEqual({ kind })
      })

      it('is ended as captured in whole if people overtook its void', async () => {
        await vault.voidCharge(key)
        test.clock.nowMs += DAY_MS
        const end = { ...person, end: 'captured' } as const
        expect(await administration().resolveCapture(CHARGE, end)).toBe('resolved')
        expect(await reportedEnd()).toEqual([{ kind: 'captured', amountMinor: 10_000 }])
      })

      it('is not ended without an order, once refused, or while it is requested', async () => {
        const { resolveCapture } = administration()
        const end = { ...person, end: 'released' } as const
        test.clock.nowMs += DAY_MS
        expect(await resolveCapture(CHARGE, end)).toBe('not_open')
        payment.fates.push(refusedAs('other'))
        await captureOf(4000)
        test.clock.nowMs += DAY_MS
        expect(await resolveCapture(CHARGE, end)).toBe('not_open')
        payment.fates.push('cut')
        await captureOf(3000)
        test.clock.nowMs += DAY_MS
        const results: string[] = []
        payment.meanwhile = async () => {
          results.push(await resolveCapture(CHARGE, end))
        }
        await vault.followUpCharges()
        expect(results).toEqual(['too_early'])
      })
    })

    it('of a refund is not ended while it is requested', async () => {
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

    it('of a charge is not ended while it is requested', async () => {
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
      const { resolveCancel, resolveCapture, resolveCharge, resolveRefund } = administration()
      const end = { ...resolution, end: 'released' } as const
      expect(await resolveCapture(CHARGE, end)).toBe('not_open')
      expect(await resolveCharge(CHARGE, resolution)).toBe('not_open')
      expect(await resolveRefund(REFUND, resolution)).toBe('not_open')
      expect(await resolveCancel(SURPLUS, resolution)).toBe('not_open')
    })
  })
