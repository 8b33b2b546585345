import { DAY_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHARGE_LEASE_MS } from '../authorization/card-charge.js'
import { createVault } from '../create-vault.js'
import type { Vault } from '../model/vault.js'
import {
  ACCOUNT,
  CHARGED_AT_MS,
  CODE,
  PAYMENT,
  addAccount,
  storeCharge,
} from '../refund/charged.fixture.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import {
  AuthorizedPayment,
  KEY,
  VOID,
  captureOf,
  changesIn,
  processAt,
  refusedAs,
} from './authorized.fixture.js'

const CAPTURE_DAYS = 7
const ENDS_AT_MS = CHARGED_AT_MS + CAPTURE_DAYS * DAY_MS
const refund = (amountMinor: number, refundId = '7') => ({
  ...VOID,
  refundId,
  amountMinor: minorUnits(amountMinor),
})

for (const engine of TEST_ENGINES)
  describe(`an authorized charge on ${engine.name}`, () => {
    let test: TestVault
    let payment: AuthorizedPayment
    let vault: Vault
    beforeEach(async () => {
      test = await openTestVault(engine)
      payment = new AuthorizedPayment()
      vault = processAt(test, payment.acquirer)
      await addAccount(test.deps)
      await storeCharge(test.database, { captureDays: CAPTURE_DAYS })
    })
    afterEach(() => test.database.close())

    const auditOf = async (action: string) =>
      await test.database.reader
        .selectFrom('audit_log')
        .select(['actor', 'record', 'outcome'])
        .where('action', '=', action)
        .execute()
    const later = async (process: Vault, ms = MINUTE_MS): Promise<void> => {
      test.clock.nowMs += ms
      await process.followUpCharges()
    }

    it('is captured once, however often, and reported once', async () => {
      expect(await vault.refund(refund(1000))).toEqual({
        kind: 'refused',
        detail: 'the charge is not captured',
      })
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
      await later(vault)
      expect(payment.captures).toEqual([
        {
          key: { installation: 'test', ...KEY },
          earlier: undefined,
          paymentId: PAYMENT,
          authorizedMinor: 10_000,
          amountMinor: 10_000,
          orderedAtMs: expect.any(Number) as number,
        },
      ])
      expect(await changesIn(vault)).toEqual([{ kind: 'captured', amountMinor: 10_000 }])
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'overtaken', by: 'capture' })
      expect(payment.cancels).toEqual([])
      expect(await auditOf('card.captured')).toEqual([
        { actor: 'store:store-1', record: CODE, outcome: 'done' },
      ])
    })

    it('goes back only as far as a part was captured', async () => {
      expect(await vault.capture(captureOf(4000))).toEqual({ kind: 'done' })
      expect(await vault.capture(captureOf(5000))).toEqual({ kind: 'overtaken', by: 'capture' })
      expect(await vault.refund(refund(4001))).toMatchObject({ kind: 'refused' })
      expect(await vault.refund(refund(4000, '8'))).toEqual({ kind: 'done' })
      expect([payment.captures.length, payment.refunds]).toEqual([1, [4000]])
    })

    it.each([0, 10_001])('is not captured with an amount of %i', async (amountMinor) => {
      expect(await vault.capture(captureOf(amountMinor))).toMatchObject({ kind: 'refused' })
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'done' })
      expect(payment.captures).toEqual([])
    })

    it('is voided once, and then not captured', async () => {
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'done' })
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'done' })
      expect(await vault.capture(captureOf())).toEqual({ kind: 'overtaken', by: 'void' })
      expect(payment.cancels).toEqual([
        {
          key: { installation: 'test', ...KEY },
          earlier: undefined,
          paymentId: PAYMENT,
          chargedMinor: 10_000,
          chargedAtMs: CHARGED_AT_MS,
          isUncaptured: true,
          orderedAtMs: expect.any(Number) as number,
        },
      ])
      expect(payment.captures).toEqual([])
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by: 'void' }])
      expect(await vault.refund(refund(1000))).toMatchObject({ kind: 'refused' })
      expect(await auditOf('card.voided')).toMatchObject([{ outcome: 'done' }])
    })

    it('is requested again under the same key after a lost answer, also by another process', async () => {
      payment.fates.push('lost')
      expect(await vault.capture(captureOf())).toMatchObject({ kind: 'in_process' })
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'overtaken', by: 'capture' })
      const firstAtMs = test.clock.nowMs
      await later(processAt(test, payment.acquirer))
      expect(payment.captures.map(({ earlier }) => earlier)).toEqual([
        undefined,
        { firstAtMs, absentSinceMs: undefined },
      ])
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
      expect(await changesIn(vault)).toEqual([{ kind: 'captured', amountMinor: 10_000 }])
    })

    it('is found before it is requested again, if its acquirer can be read', async () => {
      vault = processAt(test, payment.readable)
      payment.fates.push('cut', 'lost')
      expect(await vault.capture(captureOf(3000))).toMatchObject({ kind: 'in_process' })
      expect(payment.reads).toBe(0)
      await later(vault)
      expect(payment.captures).toHaveLength(2)
      await later(vault)
      expect(payment.captures).toHaveLength(2)
      expect(await changesIn(vault)).toEqual([{ kind: 'captured', amountMinor: 3000 }])
      expect(await vault.capture(captureOf(3000))).toEqual({ kind: 'done' })
    })

    it('is found released after a void whose answer was lost', async () => {
      vault = processAt(test, payment.readable)
      payment.fates.push('lost')
      expect(await vault.voidCharge(VOID)).toMatchObject({ kind: 'in_process' })
      await later(vault)
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by: 'void' }])
      expect([await vault.voidCharge(VOID), payment.cancels.length]).toEqual([{ kind: 'done' }, 1])
    })

    it('has one winner when two processes capture and void it at once', async () => {
      const other = processAt(test, payment.acquirer)
      const answers = await Promise.all([vault.capture(captureOf()), other.voidCharge(VOID)])
      const calls = [payment.captures.length, payment.cancels.length]
      const isCaptured = answers[0].kind === 'done'
      expect(answers).toEqual(
        isCaptured
          ? [{ kind: 'done' }, { kind: 'overtaken', by: 'capture' }]
          : [{ kind: 'overtaken', by: 'void' }, { kind: 'done' }],
      )
      expect(calls).toEqual(isCaptured ? [1, 0] : [0, 1])
      expect(await changesIn(vault)).toHaveLength(1)
    })

    it('is requested by one process at a time', async () => {
      const other = processAt(test, payment.acquirer)
      payment.meanwhile = async () => {
        payment.meanwhile = () => Promise.resolve()
        expect(await other.capture(captureOf())).toMatchObject({ kind: 'in_process' })
        await other.followUpCharges()
      }
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
      expect(payment.captures).toHaveLength(1)
    })

    it('is not requested again while a request that timed out may still run', async () => {
      const answered = Promise.withResolvers<never>()
      payment.meanwhile = () => answered.promise
      const impatient = processAt(
        { deps: { ...test.deps, acquirerTimeoutMs: 10 } },
        payment.acquirer,
      )
      expect(await impatient.capture(captureOf())).toMatchObject({ kind: 'in_process' })
      payment.meanwhile = () => Promise.resolve()
      await later(vault, CHARGE_LEASE_MS - 1)
      expect(payment.captures).toHaveLength(1)
      await later(vault)
      expect(payment.captures).toHaveLength(2)
      expect(await changesIn(vault)).toEqual([{ kind: 'captured', amountMinor: 10_000 }])
    })

    it.each([
      ['provider', ENDS_AT_MS - 1],
      ['expired', ENDS_AT_MS],
    ] as const)('ends as released by %s if a capture finds it so', async (by, nowMs) => {
      test.clock.nowMs = nowMs
      payment.fates.push(refusedAs('released'))
      expect(await vault.capture(captureOf())).toEqual({ kind: 'released' })
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'released' })
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by }])
      expect(await auditOf('card.captured')).toMatchObject([{ outcome: 'released' }])
    })

    it('stays authorized after a refusal, and can be voided', async () => {
      payment.fates.push(refusedAs('other'))
      const refused = { kind: 'refused', detail: 'not possible' }
      expect(await vault.capture(captureOf())).toEqual(refused)
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'done' })
      expect(await changesIn(vault)).toEqual([
        { kind: 'still_authorized', after: 'capture' },
        { kind: 'released', by: 'void' },
      ])
    })

    it('is requested again after a refusal that the gateway knows', async () => {
      payment.fates.push(refusedAs('other'))
      await vault.capture(captureOf())
      // The answer was lost: the same order comes again.
      expect(await vault.capture(captureOf())).toMatchObject({ kind: 'refused' })
      expect(payment.captures).toHaveLength(1)
      await changesIn(vault)
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
      expect(await changesIn(vault)).toEqual([{ kind: 'captured', amountMinor: 10_000 }])
    })

    it('is first requested again if the acquirer certainly did not get the request', async () => {
      payment.fates.push({ kind: 'not-sent', cause: 'no-connection', detail: 'no connection' })
      expect(await vault.voidCharge(VOID)).toMatchObject({ kind: 'in_process' })
      await later(vault)
      expect(payment.cancels.map(({ earlier }) => earlier)).toEqual([undefined, undefined])
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by: 'void' }])
    })

    it('waits while its account cannot be connected', async () => {
      const broken = createVault({
        ...test.deps,
        connectionOf: () => Promise.reject(new Error('its credentials cannot be opened')),
      })
      expect(await broken.capture(captureOf())).toEqual({
        kind: 'in_process',
        detail: 'its account cannot be used',
      })
      await later(vault)
      expect(payment.captures.map(({ earlier }) => earlier)).toEqual([undefined])
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
    })

    it('is refused if it was captured at once, was not made, or is unknown', async () => {
      const order = (transactionCode: string) => ({ ...captureOf(), transactionCode })
      await storeCharge(test.database, { code: '1', paymentId: 'P1' })
      await storeCharge(test.database, { code: '2', state: 'declined', captureDays: 7 })
      await storeCharge(test.database, { code: '3', state: 'asked', captureDays: 7 })
      expect(await vault.capture(order('1'))).toMatchObject({ kind: 'refused' })
      expect(await vault.capture(order('2'))).toMatchObject({ kind: 'refused' })
      expect(await vault.capture(order('3'))).toMatchObject({ kind: 'in_process' })
      expect(await vault.capture(order('4'))).toEqual({ kind: 'no_charge' })
      expect(payment.captures).toEqual([])
    })

    it('is requested again after a restart between the request and its answer', async () => {
      const answered = Promise.withResolvers<never>()
      const asked = Promise.withResolvers<undefined>()
      payment.meanwhile = () => {
        asked.resolve(undefined)
        return answered.promise
      }
      // The first process ends here: it never records the answer.
      void vault.capture(captureOf()).catch(() => undefined)
      await asked.promise
      payment.meanwhile = () => Promise.resolve()
      const next = processAt(test, payment.acquirer)
      await next.followUpCharges()
      expect(payment.captures).toHaveLength(1)
      await later(next)
      expect(payment.captures).toHaveLength(2)
      expect(payment.captures[1]?.earlier).toBeDefined()
      expect(await changesIn(next)).toEqual([{ kind: 'captured', amountMinor: 10_000 }])
    })

    it('is released two days after its time, if no notice comes', async () => {
      const kinds: unknown[] = []
      for (const nowMs of [ENDS_AT_MS, ENDS_AT_MS + 2 * DAY_MS - 1, ENDS_AT_MS + 2 * DAY_MS]) {
        test.clock.nowMs = nowMs
        await vault.followUpCharges()
        kinds.push(await changesIn(vault))
      }
      expect(kinds).toEqual([[], [], [{ kind: 'released', by: 'expired' }]])
      expect(await vault.capture(captureOf())).toEqual({ kind: 'released' })
    })

    it('is not called released while a capture is open', async () => {
      payment.isSlow = true
      await vault.capture(captureOf())
      for (let day = 0; day < 5; day++) {
        test.clock.nowMs = ENDS_AT_MS + day * DAY_MS
        await vault.followUpCharges()
      }
      expect(await changesIn(vault)).toEqual([])
      expect(test.log.lines.join()).toContain('the time for a capture is over')
    })

    it('is looked at once when its time is over', async () => {
      vault = processAt(test, payment.readable)
      payment.state = 'released'
      test.clock.nowMs = ENDS_AT_MS
      await vault.followUpCharges()
      await vault.followUpCharges()
      await later(vault)
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by: 'expired' }])
    })

    it.each([
      ['released', { kind: 'released', by: 'provider' }],
      ['captured', { kind: 'captured', amountMinor: 2500 }],
    ] as const)('is read again later, and found %s', async (state, change) => {
      vault = processAt(test, payment.readable)
      payment.state = state
      payment.capturedMinor = minorUnits(state === 'captured' ? 2500 : 0)
      await vault.followUpCharges()
      await vault.followUpCharges()
      expect(await changesIn(vault)).toEqual([change])
      // A payment that was released has gone back in full: that is no refund.
      await vault.acceptNotice(ACCOUNT, { hints: [PAYMENT] })
      await later(vault)
      expect(await changesIn(vault)).toEqual([])
    })
  })
