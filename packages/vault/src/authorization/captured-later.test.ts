import { DAY_MS, MINUTE_MS, type CardAnswer, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import type { FoundPayment } from '@cofre/provider-kit/card'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captureCharge, voidCharge } from '../capture/capture-service.js'
import { claimChanges } from '../outbox/change-sql.js'
import { type TestVault, openTestVault, orderFor, paymentNamed } from '../vault.fixture.js'
import { endCharge } from './charge-end-service.js'
import { TestAccount, type TestProcess, startProcess } from './charging.fixture.js'

const AUTHORIZED = { kind: 'answered', outcome: 'approved', isAuthorizedOnly: true }
const NOT_POSSIBLE = { kind: 'refused', reason: 'capture_later_not_possible' }

for (const engine of TEST_ENGINES)
  describe(`an order that is captured later, on ${engine.name}`, () => {
    let test: TestVault
    let one: TestAccount
    let two: TestAccount
    let vault: TestProcess
    beforeEach(async () => {
      test = await openTestVault(engine)
      one = new TestAccount('one')
      two = new TestAccount('two')
      vault = startProcess(test, [one, two])
    })
    afterEach(() => test.database.close())

    const orderLater = async () => orderFor(await test.deposit(), { isCapturedLater: true })
    const found = (more: Partial<FoundPayment>) =>
      ({
        kind: 'done',
        value: {
          state: 'authorized',
          payment: paymentNamed('p1'),
          decline: undefined,
          returnedMinor: minorUnits(0),
          surplus: [],
          disputes: [],
          ...more,
        },
      }) as const
    const changes = async () =>
      (await claimChanges(test.database, 'production', test.clock.nowMs)).map(
        ({ change }) => change,
      )
    const chargeIn = (answer: CardAnswer | undefined) =>
      answer?.kind === 'answered' ? answer.charge : undefined

    it('is asked only of accounts that can capture it', async () => {
      two.captureDays = 5
      const answer = await vault.authorize(await orderLater())
      expect(answer).toMatchObject(AUTHORIZED)
      const captureEndsAtMs = test.clock.nowMs + 5 * DAY_MS
      expect(chargeIn(answer)).toMatchObject({ accountId: 'two', captureEndsAtMs })
      expect(one.requests).toEqual([])
      expect(two.requests).toMatchObject([{ isCapturedLater: true }])
    })

    it('is refused if no account can, and uses nothing up', async () => {
      const order = await orderLater()
      expect(await vault.authorize(order)).toEqual(NOT_POSSIBLE)
      expect(one.requests).toEqual([])
      const { source } = order
      const answer = await vault.authorize(orderFor('', { source }))
      expect(answer).toMatchObject({ outcome: 'approved' })
      expect(one.requests[0]?.isCapturedLater).toBeUndefined()
      // A gateway of the release before reads such an answer strictly.
      expect(JSON.stringify(answer)).not.toMatch(/isAuthorizedOnly|captureEndsAtMs/)
    })

    it('goes on to the next account with that one’s days', async () => {
      one.captureDays = 3
      two.captureDays = 5
      one.calls = ['away']
      expect(chargeIn(await vault.authorize(await orderLater()))).toMatchObject({
        accountId: 'two',
        captureEndsAtMs: test.clock.nowMs + 5 * DAY_MS,
      })
    })

    it('is asked for again as it was', async () => {
      one.captureDays = 3
      one.calls = ['lost']
      const order = await orderLater()
      expect(await vault.authorize(order)).toMatchObject({ outcome: 'unknown' })
      test.clock.nowMs += MINUTE_MS
      expect(await startProcess(test, [one]).recall(order)).toMatchObject(AUTHORIZED)
      expect(one.requests.map(({ isCapturedLater }) => isCapturedLater)).toEqual([true, true])
    })

    it('is answered as authorized only until it is captured or released', async () => {
      one.captureDays = 3
      const [captured, voided] = [await orderLater(), await orderLater()]
      for (const order of [captured, voided]) await vault.authorize(order)
      expect(await vault.recall(captured)).toMatchObject(AUTHORIZED)
      const { amountMinor, environment, merchantId, transactionCode } = captured
      const capture = { environment, merchantId, transactionCode, amountMinor }
      expect(await captureCharge(vault.deps, capture)).toEqual({ kind: 'done' })
      expect(await voidCharge(vault.deps, voided)).toEqual({ kind: 'done' })
      for (const order of [captured, voided]) {
        const answer = await vault.recall(order)
        expect(answer).toMatchObject({ outcome: 'approved' })
        expect(answer).not.toMatchObject(AUTHORIZED)
      }
    })

    it.each([
      ['authorized', found({}), AUTHORIZED, []],
      [
        'captured in part by people',
        found({ state: 'approved', capturedMinor: minorUnits(2500) }),
        { isAuthorizedOnly: undefined },
        [{ kind: 'captured', amountMinor: 2500 }],
      ],
      [
        'captured by people',
        found({ state: 'approved' }),
        { isAuthorizedOnly: undefined },
        [{ kind: 'captured', amountMinor: 10_000 }],
      ],
    ])('is approved if it is found %s once its card is erased', async (_, result, answer, more) => {
      one.captureDays = 3
      one.calls = ['lost']
      const order = await orderLater()
      await vault.authorize(order)
      one.withFind(result)
      test.clock.nowMs += DAY_MS + 1
      await vault.followUp()
      const [settled, ...others] = await changes()
      expect(settled).toMatchObject({ kind: 'settled', answer: { outcome: 'approved' } })
      expect(others).toEqual(more)
      expect(await vault.recall(order)).toMatchObject(answer)
      expect(one.cancels).toEqual([])
      expect(one.requests).toHaveLength(1)
    })

    it('is authorized by a later report', async () => {
      one.captureDays = 3
      one.calls = ['pending']
      const order = await orderLater()
      expect(await vault.authorize(order)).toMatchObject({ outcome: 'pending' })
      test.clock.nowMs += DAY_MS
      const answer = await endCharge(vault.deps, order, {
        outcome: 'approved',
        payment: paymentNamed('p1'),
        decline: undefined,
        surplus: [],
      })
      expect(answer).toMatchObject(AUTHORIZED)
      expect(answer?.charge?.captureEndsAtMs).toBe(test.clock.nowMs + 3 * DAY_MS)
    })

    it('is approved without an account, and has no end', async () => {
      const order = await orderLater()
      const answer = await test.vault.authorize(order)
      expect(answer).toMatchObject(AUTHORIZED)
      expect(chargeIn(answer)).toBeUndefined()
      expect(test.acquirer.requests).toMatchObject([{ isCapturedLater: true }])
      const { environment, transactionCode } = order
      expect(await test.vault.recallAuthorization(environment, transactionCode)).toMatchObject(
        AUTHORIZED,
      )
      expect(await test.vault.voidCharge(order)).toEqual({ kind: 'no_charge' })
    })
  })
