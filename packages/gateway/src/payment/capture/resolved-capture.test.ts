// The gateway follows its vault if a person decides a capture or a void.
import { DAY_MS, type MinorUnits, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { AuthorizedPayment, processAt } from '../../../../vault/src/capture/authorized.fixture.js'
import type { Vault } from '../../../../vault/src/model/vault.js'
import { addAccount, storeCharge } from '../../../../vault/src/refund/charged.fixture.js'
import { createVaultAdministration } from '../../../../vault/src/vault-administration.js'
import { openTestVault } from '../../../../vault/src/vault.fixture.js'
import {
  AUTHORIZED,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import { applyCardChanges } from '../card-return-service.js'
import { capturePayment, voidPayment } from './authorized-end-service.js'
import { carryOutOrders } from './capture-work-service.js'

const STOPPED = AbortSignal.abort()

for (const engine of TEST_ENGINES)
  describe(`a capture that its acquirer never confirms, on ${engine.name}`, () => {
    let test: TestGateway
    let vault: Vault
    let payment: AuthorizedPayment
    let administration: ReturnType<typeof createVaultAdministration>
    let nowMs: number
    let code: TransactionCode
    beforeEach(async () => {
      nowMs = NOW_MS
      const clock = { now: () => nowMs }
      test = await openTestGateway(engine, { clock, machineClock: clock })
      onTestFinished(() => test.close())
      test.answerCards(() => Promise.resolve(AUTHORIZED))
      const body = cardRequest('order-1', { installments: 3, capture: false })
      const { json } = await test.send('POST', '/transactions', { body })
      code = Number((json.transaction as { code: string }).code) as TransactionCode
      const held = await openTestVault(engine)
      onTestFinished(() => held.database.close())
      const deps = { ...held.deps, clock }
      payment = new AuthorizedPayment()
      payment.isSlow = true
      vault = processAt({ deps }, payment.acquirer)
      administration = createVaultAdministration(deps)
      await addAccount(deps)
      const { chargedMinor: amountMinor } = await found()
      await storeCharge(held.database, { code: String(code), captureDays: 7, amountMinor })
      test.endAuthorized((order) =>
        'amountMinor' in order ? vault.capture(order) : vault.voidCharge(order),
      )
    })

    const found = async () =>
      (await test.parts.transactions.findByCode(code)) ?? expect.fail('no payment')
    const capture = async (amountMinor: number) =>
      await capturePayment(test.parts, await found(), {
        amountMinor: minorUnits(amountMinor),
        orderedBy: 'store',
      })
    const resolve = async (end: 'captured' | 'released', capturedMinor?: MinorUnits) => {
      nowMs += DAY_MS
      const key = { environment: 'production', transactionCode: String(code) } as const
      const resolution = {
        end,
        capturedMinor,
        reason: 'on the site',
        actor: 'operator:maria',
      } as const
      expect(await administration.resolveCapture(key, resolution)).toBe('resolved')
      const changes = await vault.changes('production')
      test.changes.push(...changes)
      await applyCardChanges(test.parts, STOPPED)
      await carryOutOrders(test.parts)
      expect(test.logged.join()).not.toContain('conflict')
      expect(payment.captures.length + payment.cancels.length).toBe(1)
    }

    it('is captured as it was ordered', async () => {
      expect(await capture(4000)).toEqual({ kind: 'in-process' })
      await resolve('captured')
      expect(await found()).toMatchObject({ status: 'COMPLETE', capture: { amountMinor: 4000 } })
      expect(await capture(4000)).toEqual({ kind: 'captured' })
    })

    it('is captured as the person found it', async () => {
      const { chargedMinor } = await found()
      await capture(4000)
      await resolve('captured', minorUnits(Math.round(chargedMinor / 4)))
      expect(await found()).toMatchObject({ status: 'COMPLETE', capture: { amountMinor: 2500 } })
    })

    it('is released', async () => {
      await capture(4000)
      await resolve('released')
      expect(await found()).toMatchObject({
        status: 'CANCELLED',
        capture: { releasedBy: 'provider' },
      })
    })

    it('is voided, as it was ordered', async () => {
      expect(await voidPayment(test.parts, await found(), 'store')).toEqual({ kind: 'in-process' })
      await resolve('released')
      expect(await found()).toMatchObject({ status: 'CANCELLED', capture: { releasedBy: 'void' } })
    })
  })
