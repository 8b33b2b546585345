import { DAY_MS, MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import type { AcquirerEvent } from '@cofre/provider-kit/card'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Vault } from '../model/vault.js'
import { event } from '../notice/notices.fixture.js'
import { ACCOUNT, addAccount, storeCharge } from '../refund/charged.fixture.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import {
  AuthorizedPayment,
  VOID,
  captureOf,
  changesIn,
  processAt,
  refusedAs,
} from './authorized.fixture.js'

const CAPTURED = { kind: 'captured', amountMinor: 10_000 }
const refund = (amountMinor: number) => ({
  ...VOID,
  refundId: '7',
  amountMinor: minorUnits(amountMinor),
})

for (const engine of TEST_ENGINES)
  describe(`notices of an authorized charge on ${engine.name}`, () => {
    let test: TestVault
    let payment: AuthorizedPayment
    let vault: Vault
    beforeEach(async () => {
      test = await openTestVault(engine)
      payment = new AuthorizedPayment()
      payment.isSlow = true
      vault = processAt(test, payment.acquirer)
      await addAccount(test.deps)
      await storeCharge(test.database, { captureDays: 7 })
    })
    afterEach(() => test.database.close())

    /** Each comes a minute after what happened before. */
    const notify = async (
      change: AcquirerEvent['change'],
      more: Partial<AcquirerEvent> = {},
    ): Promise<void> => {
      test.clock.nowMs += MINUTE_MS
      await vault.acceptNotice(ACCOUNT, { events: [event(change, more)] })
    }

    it('end a capture that was accepted, once', async () => {
      expect(await vault.capture(captureOf())).toEqual({ kind: 'in_process' })
      test.clock.nowMs += DAY_MS
      await vault.followUpCharges()
      expect(payment.captures).toHaveLength(1)
      await notify('captured', { returnId: 'OPERATION1' })
      await notify('captured', { returnId: 'OPERATION1' })
      expect(await vault.capture(captureOf())).toEqual({ kind: 'done' })
      expect(await changesIn(vault)).toEqual([CAPTURED])
    })

    it('refuse a capture: the charge stays authorized, and is captured by a new one', async () => {
      await vault.capture(captureOf())
      await notify('capture_failed', { returnId: 'ANOTHER' })
      expect(await vault.capture(captureOf())).toEqual({ kind: 'in_process' })
      await notify('capture_failed', { returnId: 'OPERATION1', detail: 'no' })
      expect(await vault.capture(captureOf())).toEqual({ kind: 'refused', detail: 'no' })
      expect(await changesIn(vault)).toEqual([{ kind: 'still_authorized', after: 'capture' }])
      expect(await vault.capture(captureOf(3000))).toEqual({ kind: 'in_process' })
      await notify('captured', { returnId: 'OPERATION2', amountMinor: minorUnits(3000) })
      expect(await changesIn(vault)).toEqual([{ kind: 'captured', amountMinor: 3000 }])
      // The refusal took nothing back.
      expect(await vault.refund(refund(3000))).toEqual({ kind: 'done' })
    })

    it('report a refusal by our clock, with which the gateway times its orders', async () => {
      await vault.capture(captureOf())
      const atMs = test.clock.nowMs - 1
      await notify('capture_failed', { returnId: 'OPERATION1', atMs })
      expect(await vault.changes('production')).toMatchObject([
        { change: { kind: 'still_authorized' }, atMs: test.clock.nowMs },
      ])
    })

    it('report a capture that fails after its end', async () => {
      await vault.capture(captureOf())
      await notify('capture_failed', { returnId: 'OPERATION1' })
      await changesIn(vault)
      await vault.capture(captureOf())
      await notify('captured', { returnId: 'OPERATION2' })
      await notify('capture_failed', { returnId: 'OPERATION2' })
      expect(await changesIn(vault)).toEqual([CAPTURED, { kind: 'capture_failed' }])
      expect(await vault.refund(refund(1000))).toMatchObject({ kind: 'refused' })
    })

    it('end a void, or refuse it', async () => {
      await vault.voidCharge(VOID)
      await notify('cancel_failed', { returnId: 'OPERATION1' })
      expect(await vault.voidCharge(VOID)).toMatchObject({ kind: 'refused' })
      expect(await changesIn(vault)).toEqual([{ kind: 'still_authorized', after: 'void' }])
      await vault.voidCharge(VOID)
      await notify('cancelled', { returnId: 'OPERATION2' })
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'done' })
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by: 'void' }])
      await notify('expired')
      await notify('cancelled')
      await notify('capture_failed')
      expect(await changesIn(vault)).toEqual([])
    })

    it.each([
      ['captured', 2500, { kind: 'captured', amountMinor: 2500 }],
      ['cancelled', 10_000, { kind: 'released', by: 'provider' }],
      ['expired', 10_000, { kind: 'released', by: 'expired' }],
    ] as const)(
      'report what people did without a request: %s',
      async (change, amount, reported) => {
        await notify(change, { amountMinor: minorUnits(amount) })
        expect(await changesIn(vault)).toEqual([reported])
        const isCaptured = change === 'captured'
        expect(await vault.capture(captureOf(2500))).toEqual({
          kind: isCaptured ? 'done' : 'released',
        })
        expect(await vault.voidCharge(VOID)).toEqual(
          isCaptured ? { kind: 'overtaken', by: 'capture' } : { kind: 'released' },
        )
        expect([payment.captures, payment.cancels]).toEqual([[], []])
      },
    )

    it('end a void that people overtook by a capture', async () => {
      await vault.voidCharge(VOID)
      await notify('captured')
      expect(await vault.voidCharge(VOID)).toEqual({ kind: 'overtaken', by: 'capture' })
      expect(await changesIn(vault)).toEqual([CAPTURED])
    })

    it('report a capture even of a charge that counted as released', async () => {
      payment.fates.push(refusedAs('released'))
      expect(await vault.capture(captureOf())).toEqual({ kind: 'released' })
      await notify('captured')
      expect(await changesIn(vault)).toEqual([{ kind: 'released', by: 'provider' }, CAPTURED])
    })

    it('return the captured amount if people cancel the charge after a capture', async () => {
      await vault.capture(captureOf(4000))
      await notify('captured', { amountMinor: minorUnits(4000) })
      await notify('cancelled', { returnId: 'PEOPLE' })
      expect(await changesIn(vault)).toMatchObject([
        { kind: 'captured', amountMinor: 4000 },
        { kind: 'provider_refund', amountMinor: 4000 },
      ])
    })

    it('wait for the answer to the request', async () => {
      payment.meanwhile = async () => {
        payment.meanwhile = () => Promise.resolve()
        const captured = event('captured', { returnId: 'OPERATION1' })
        expect(await vault.acceptNotice(ACCOUNT, { events: [captured] })).toEqual(['early'])
      }
      expect(await vault.capture(captureOf())).toEqual({ kind: 'in_process' })
      test.clock.nowMs += MINUTE_MS
      await vault.followUpCharges()
      expect(await changesIn(vault)).toEqual([CAPTURED])
    })

    it('change nothing of a charge that was captured at once', async () => {
      await storeCharge(test.database, { code: '1', paymentId: 'P1' })
      await notify('captured', { paymentId: 'P1', reference: 'testp1' })
      expect(await changesIn(vault)).toEqual([])
    })
  })
