import { DAY_MS, type Decline, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AMEX, CARD, DECLINE, type TestVault, openTestVault, orderFor } from '../vault.fixture.js'
import { TestAccount, type TestProcess, startProcess } from './charging.fixture.js'

const STOLEN: Decline = { reason: 'stolen_card', retry: { kind: 'never' } }
const declinedFor = (decline: Decline) =>
  ({ kind: 'done', value: { outcome: 'declined', decline, payment: undefined } }) as const
const refused = (reason: string) => ({ kind: 'refused', reason })
const chargedAt = (accountId: string) => ({ outcome: 'approved', charge: { accountId } })

for (const engine of TEST_ENGINES) {
  describe(`Charges of a card that was declined before, on ${engine.name}`, () => {
    let test: TestVault
    let one: TestAccount
    let vault: TestProcess
    beforeEach(async () => {
      test = await openTestVault(engine)
      one = new TestAccount('one')
      vault = startProcess(test, [one])
    })
    afterEach(() => test.database.close())

    const pay = async (card = CARD, changes = {}) =>
      await vault.authorize(orderFor(await test.deposit(card), changes))
    const NOT_ALLOWED = { outcome: 'declined', decline: { reason: 'retry_not_allowed' } }

    it('are declined without asking an acquirer once the brand forbids to try the card', async () => {
      one.calls = [declinedFor(STOLEN)]
      await pay()
      const order = orderFor(await test.deposit())
      const answer = await vault.authorize(order)
      expect(answer).toMatchObject({ ...NOT_ALLOWED, decline: { retry: { kind: 'never' } } })
      expect(answer).not.toHaveProperty('charge.accountId')
      expect(await vault.authorize(order)).toEqual(answer)
      expect(await vault.recall(order)).toEqual(answer)
      expect(one.requests).toHaveLength(1)
      expect(await pay(AMEX)).toMatchObject(chargedAt('one'))
      expect(await pay(CARD, { merchantId: 'store-2' })).toMatchObject(chargedAt('one'))
      expect(await pay(CARD, { environment: 'sandbox' })).toMatchObject(chargedAt('one'))
    })

    it('spend their token all the same', async () => {
      one.calls = [declinedFor(STOLEN)]
      await pay()
      const token = await test.deposit()
      await vault.authorize(orderFor(token))
      expect(await vault.authorize(orderFor(token))).toEqual(refused('token_invalid'))
    })

    it.each([
      ['security_code_invalid', 'never'],
      ['expired_card', 'never'],
      ['merchant_problem', 'never'],
      ['insufficient_funds', 'allowed'],
    ] as const)('are asked for again after %s, retry %s', async (reason, kind) => {
      const retry = kind === 'never' ? { kind } : { kind, afterMs: DAY_MS }
      one.calls = [declinedFor({ reason, retry })]
      await pay()
      expect(await pay()).toMatchObject(chargedAt('one'))
    })

    it('are declined after as many declines as the brand allows, for 30 days', async () => {
      one.calls = Array.from({ length: 20 }, () => declinedFor(DECLINE))
      for (let i = 0; i < 20; i++) expect(await pay()).toMatchObject({ decline: DECLINE })
      expect(await pay()).toMatchObject({
        ...NOT_ALLOWED,
        decline: { retry: { kind: 'allowed', afterMs: 30 * DAY_MS } },
      })
      test.clock.nowMs += 30 * DAY_MS
      expect(await pay()).toMatchObject(chargedAt('one'))
      await test.vault.sweep()
      const { reader } = test.database
      expect(await reader.selectFrom('card_declines').selectAll().execute()).toEqual([])
    })

    it.each([1 / 24, 1, 2, 4, 6, 8, 10])(
      'wait for the %d days that the brand charges for, and nobody is asked before',
      async (days) => {
        const afterMs = days * DAY_MS
        one.calls = [declinedFor({ ...DECLINE, retry: { kind: 'allowed', afterMs, by: 'brand' } })]
        await pay()
        test.clock.nowMs += afterMs - MINUTE_MS
        expect(await pay()).toMatchObject({
          ...NOT_ALLOWED,
          decline: { retry: { kind: 'allowed', afterMs: MINUTE_MS } },
        })
        expect(one.requests).toHaveLength(1)
        expect(await pay(AMEX)).toMatchObject(chargedAt('one'))
        test.clock.nowMs += MINUTE_MS
        expect(await pay()).toMatchObject(chargedAt('one'))
      },
    )

    it('wait for that from the brand’s answer on, however long it took', async () => {
      const decline = {
        ...DECLINE,
        retry: { kind: 'allowed', afterMs: HOUR_MS, by: 'brand' },
      } as const
      one.calls = [declinedFor(decline)]
      one.during = () => {
        one.during = () => undefined
        test.clock.nowMs += 10 * SECOND_MS
      }
      await pay()
      test.clock.nowMs += HOUR_MS - 1
      expect(await pay()).toMatchObject({ ...NOT_ALLOWED, decline: { retry: { afterMs: 1 } } })
    })

    it('are requested again after an unknown code, when the shopper pays again', async () => {
      one.calls = [declinedFor({ reason: 'generic', retry: { kind: 'unknown' } })]
      await pay()
      expect(await pay()).toMatchObject(chargedAt('one'))
    })

    it('count nothing in the sandbox’s simulation', async () => {
      test.acquirer.answers = [declinedFor(STOLEN)]
      for (let twice = 0; twice < 2; twice++)
        await test.vault.authorize(orderFor(await test.deposit()))
      expect(test.acquirer.requests).toHaveLength(2)
    })
  })
}
