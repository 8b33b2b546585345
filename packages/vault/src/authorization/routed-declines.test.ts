import { DAY_MS, type Decline, HOUR_MS, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { AMEX, DECLINE, type TestVault, openTestVault, orderFor } from '../vault.fixture.js'
import { TestAccount, type TestProcess, startProcess } from './charging.fixture.js'

const GENERIC: Decline = { reason: 'generic', retry: { kind: 'allowed', afterMs: 0 } }
const HOUR_BY_BRAND = { kind: 'allowed', afterMs: HOUR_MS, by: 'brand' } as const
const declinedFor = (decline: Decline) =>
  ({ kind: 'done', value: { outcome: 'declined', decline, payment: undefined } }) as const
const UNKNOWN = { outcome: 'unknown' }
const chargedAt = (accountId: string) => ({ outcome: 'approved', charge: { accountId } })
const THREE_D_SECURE = {
  version: '2.2.0',
  eci: '05',
  cavv: new Secret('AAABCSIIAAAAAAACcwgAEMCoNh+='),
  directoryServerTransactionId: undefined,
}

for (const engine of TEST_ENGINES) {
  describe(`Declined charges of a store that sends them on, on ${engine.name}`, () => {
    let test: TestVault
    let one: TestAccount
    let two: TestAccount
    let vault: TestProcess
    beforeEach(async () => {
      test = await openTestVault(engine)
      one = new TestAccount('one')
      two = new TestAccount('two')
      vault = startProcess(test, [one, two])
      const route = { accounts: [one.account, two.account], routesDeclines: true }
      Object.assign(vault.deps, { accountsOf: () => Promise.resolve(() => Promise.resolve(route)) })
    })
    afterEach(() => test.database.close())

    const declines = () => test.database.reader.selectFrom('card_declines').selectAll().execute()

    it('go to the next account if another acquirer may decide otherwise', async () => {
      one.calls = [declinedFor(GENERIC)]
      const order = orderFor(await test.deposit())
      expect(await vault.authorize(order)).toMatchObject(chargedAt('two'))
      expect(await vault.recall(order)).toMatchObject(chargedAt('two'))
      expect(vault.attempts.map(({ accountId, outcome }) => [accountId, outcome])).toEqual([
        ['one', 'declined'],
        ['two', 'approved'],
      ])
      expect(two.requests).toMatchObject([{ earlier: undefined }])
    })

    it.each<[string, Decline, object]>([
      ['its reason is the card', DECLINE, {}],
      ['the brand forbids it', { ...GENERIC, retry: { kind: 'never' } }, {}],
      ['its code is unknown', { ...GENERIC, retry: { kind: 'unknown' } }, {}],
      ['the brand has it wait', { ...GENERIC, retry: HOUR_BY_BRAND }, {}],
      ['it is advised to wait', { ...GENERIC, retry: { kind: 'allowed', afterMs: DAY_MS } }, {}],
      ['a 3-DS result was used', GENERIC, { threeDSecure: THREE_D_SECURE }],
    ])('go nowhere else when %s', async (_, decline, more) => {
      one.calls = [declinedFor(decline)]
      const answer = await vault.authorize(orderFor(await test.deposit(), more))
      expect(answer).toMatchObject({ outcome: 'declined', decline, charge: { accountId: 'one' } })
      expect(two.requests).toEqual([])
    })

    it('go nowhere else once too little time is left', async () => {
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => {
        vi.useRealTimers()
      })
      one.calls = [declinedFor(GENERIC)]
      one.during = () => {
        vi.advanceTimersByTime(10 * SECOND_MS + 1)
      }
      expect(await vault.authorize(orderFor(await test.deposit()))).toMatchObject({
        outcome: 'declined',
      })
      expect(two.requests).toEqual([])
    })

    it('keep the decline when the next account is away, and count it once', async () => {
      one.calls = [declinedFor(GENERIC)]
      two.calls = ['away']
      const order = orderFor(await test.deposit())
      const declined = { outcome: 'declined', decline: GENERIC, charge: { accountId: 'one' } }
      expect(await vault.authorize(order)).toMatchObject(declined)
      expect(await vault.recall(order)).toMatchObject(declined)
      expect(await declines()).toHaveLength(1)
    })

    it('stay with the next account when its answer was lost', async () => {
      one.calls = [declinedFor(GENERIC)]
      two.calls = ['lost']
      const order = orderFor(await test.deposit())
      expect(await vault.authorize(order)).toMatchObject(UNKNOWN)
      test.clock.nowMs += MINUTE_MS
      expect(await vault.recall(order)).toMatchObject(chargedAt('two'))
      expect(one.requests).toHaveLength(1)
    })

    it('count each decline against the card, and go no further than the brand allows', async () => {
      const allowed = 15
      for (let i = 1; i <= allowed; i++) {
        one.calls.push(declinedFor(GENERIC))
        two.calls.push(declinedFor(GENERIC))
      }
      for (let i = 0; i < allowed; i++) {
        test.clock.nowMs += MINUTE_MS
        await vault.authorize(orderFor(await test.deposit(AMEX)))
      }
      expect([one.requests.length, two.requests.length]).toEqual([8, 7])
      expect(await declines()).toHaveLength(allowed)
    })
  })
}
