import { DAY_MS, type Decline, MINUTE_MS, SECOND_MS, Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { beginDeadline } from '@cofre/work'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { VaultTables } from '../database/vault-tables.js'
import {
  AMEX,
  CARD,
  DECLINE,
  type TestVault,
  dumpDatabase,
  openTestVault,
  orderByCode,
  orderFor,
  paymentNamed,
} from '../vault.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { CHARGE_LEASE_MS } from './card-charge.js'
import { TestAccount, type TestCall, type TestProcess, startProcess } from './charging.fixture.js'

const GENERIC: Decline = { reason: 'generic', retry: { kind: 'allowed', afterMs: 0 } }
const STOLEN: Decline = { reason: 'stolen_card', retry: { kind: 'never' } }
const declinedFor = (decline: Decline) =>
  ({ kind: 'done', value: { outcome: 'declined', decline, payment: undefined } }) as const
const UNKNOWN = { kind: 'answered', outcome: 'unknown' }
const refused = (reason: string) => ({ kind: 'refused', reason })
const chargedAt = (accountId: string) => ({
  kind: 'answered',
  outcome: 'approved',
  charge: { accountId, provider: 'adyen' },
})
const THREE_D_SECURE = {
  version: '2.2.0',
  eci: '05',
  cavv: new Secret('AAABCSIIAAAAAAACcwgAEMCoNh+='),
  directoryServerTransactionId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
}

/** Stops the clock of deadlines until the test advances it. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

for (const engine of TEST_ENGINES) {
  describe(`Charges at accounts on ${engine.name}`, () => {
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

    const rowsOf = (
      table: 'authorizations' | 'card_charges' | 'card_cancels' | 'card_declines' | 'direct_tokens',
    ) => test.database.reader.selectFrom(table).selectAll().execute()
    const charges = () => one.books.size + two.books.size

    it('are answered with the acquirer’s ids, each time', async () => {
      const order = orderFor(await test.deposit())
      const paymentId = `one-${order.transactionCode}`
      const answer = {
        kind: 'answered',
        outcome: 'approved',
        card: { brand: 'visa', bin: '411111', lastFour: '1111' },
        charge: {
          accountId: 'one',
          provider: 'adyen',
          paymentId,
          nsu: `nsu of ${paymentId}`,
          authorizationCode: 'A1B2C3',
        },
      }
      expect(await vault.authorize(order)).toEqual(answer)
      expect(await vault.authorize(order)).toEqual(answer)
      expect(await vault.recall(order)).toEqual(answer)
      expect(one.requests).toHaveLength(1)
      expect(two.requests).toEqual([])
      expect(vault.attempts).toEqual([
        {
          environment: 'production',
          accountId: 'one',
          provider: 'adyen',
          brand: 'visa',
          outcome: 'approved',
        },
      ])
    })

    it('are answered with the reason of a decline, each time', async () => {
      one.calls = ['declined']
      const order = orderFor(await test.deposit())
      const answer = { outcome: 'declined', decline: DECLINE, charge: { accountId: 'one' } }
      expect(await vault.authorize(order)).toMatchObject(answer)
      expect(await vault.recall(order)).toMatchObject(answer)
    })

    it('go to the next account when the first was certainly not reached', async () => {
      one.calls = ['away']
      const order = orderFor(await test.deposit())
      expect(await vault.authorize(order)).toMatchObject(chargedAt('two'))
      expect(two.requests).toMatchObject([{ key: one.requests[0]?.key }])
      expect(two.requests[0]?.earlier).toBeUndefined()
      expect(await rowsOf('card_charges')).toMatchObject([{ account_id: 'two' }])
      // The first is as it was found; the other may have changed while the first was asked.
      expect(vault.read).toEqual(['two'])
    })

    it('go to the next account when the first cannot be used', async () => {
      one.opened = () => Promise.reject(new Error('sealed'))
      expect(await vault.authorize(orderFor(await test.deposit()))).toMatchObject(chargedAt('two'))
    })

    it('are written to the next account before that is asked', async () => {
      one.calls = ['away']
      let written: unknown
      two.during = async () => {
        written = await rowsOf('card_charges')
      }
      await vault.authorize(orderFor(await test.deposit()))
      expect(written).toMatchObject([{ account_id: 'two', state: 'asked' }])
    })

    it.each<TestCall>(['unknown', 'lost', new Error('no answer'), 'pending', 'review'])(
      'are never routed on after %s',
      async (call) => {
        one.calls = [call]
        await vault.authorize(orderFor(await test.deposit()))
        expect(two.requests).toEqual([])
      },
    )

    it('go nowhere else while less than 5 of 15 seconds remain', async () => {
      stopTime()
      one.calls = ['away']
      one.during = () => {
        vi.advanceTimersByTime(10 * SECOND_MS + 1)
      }
      const answer = await vault.authorize(orderFor(await test.deposit()))
      expect(answer).toEqual(refused('acquirer_unavailable'))
      expect(two.requests).toEqual([])
    })

    it.each([
      [5000, ['one', 'two']],
      [4999, ['one']],
      [-1, ['one']],
    ])('that come with %i ms left are sent to %j', async (leftMs, asked) => {
      stopTime()
      one.calls = ['away']
      const order = orderFor(await test.deposit(), { deadline: beginDeadline(leftMs) })
      await vault.authorize(order)
      expect(vault.attempts.map(({ accountId }) => accountId)).toEqual(asked)
    })

    it.each([GENERIC, DECLINE, STOLEN])('that are declined stay declined: %o', async (decline) => {
      one.calls = [declinedFor(decline)]
      const answer = await vault.authorize(orderFor(await test.deposit()))
      expect(answer).toMatchObject({ outcome: 'declined', decline, charge: { accountId: 'one' } })
      expect(two.requests).toEqual([])
    })

    it('use nothing up when no account was reached: the token pays later', async () => {
      one.calls = ['away']
      two.calls = ['away']
      const order = orderFor(await test.deposit())
      expect(await vault.authorize(order)).toEqual(refused('acquirer_unavailable'))
      expect(await rowsOf('authorizations')).toEqual([])
      expect(await rowsOf('card_charges')).toEqual([])
      expect(await vault.authorize(orderFor('', { source: order.source }))).toMatchObject(
        chargedAt('one'),
      )
    })

    it('are refused if the store has no account and nothing is simulated', async () => {
      const none = startProcess(test, [])
      const order = orderFor(await test.deposit())
      expect(await none.authorize(order)).toEqual(refused('no_account'))
      expect(await vault.authorize(order)).toMatchObject(chargedAt('one'))
    })

    it('whose answer was lost are asked for again at the same account, with the same', async () => {
      one.calls = ['lost']
      const threeDSecure = THREE_D_SECURE
      const changes = { installments: 2, threeDSecure, isFromLink: true } as const
      const order = orderFor(await test.deposit(), changes)
      const firstAtMs = test.clock.nowMs
      expect(await vault.authorize(order)).toMatchObject(UNKNOWN)
      test.clock.nowMs += 2 * MINUTE_MS
      const later = startProcess(test, [one, two])
      expect(await later.recall(order)).toMatchObject(chargedAt('one'))
      expect(later.read).toEqual(['one'])
      const [first, again] = one.requests
      const earlier = { firstAtMs, absentSinceMs: undefined }
      expect(first).toMatchObject({ installments: 2, isFromLink: true })
      expect(again).toEqual({
        ...first,
        card: again?.card,
        threeDSecure: again?.threeDSecure,
        earlier,
      })
      expect(again?.card.reveal()).toEqual(CARD)
      expect(again?.threeDSecure?.cavv.reveal()).toBe(THREE_D_SECURE.cavv.reveal())
      expect(charges()).toBe(1)
    })

    it('are not asked for before the acquirer wants to be, and carry its absence', async () => {
      const retryAfterMs = MINUTE_MS
      const absentSinceMs = test.clock.nowMs
      one.calls = [
        'unknown',
        { kind: 'unknown', detail: 'absent so far', absentSinceMs, retryAfterMs },
      ]
      const order = orderFor(await test.deposit())
      await vault.authorize(order)
      test.clock.nowMs += 10 * SECOND_MS
      await vault.recall(order)
      test.clock.nowMs += retryAfterMs - 1
      expect(await vault.recall(order)).toMatchObject(UNKNOWN)
      expect(one.requests).toHaveLength(2)
      test.clock.nowMs += 1
      expect(await vault.recall(order)).toMatchObject(chargedAt('one'))
      expect(one.requests[2]?.earlier).toMatchObject({ absentSinceMs })
    })

    it('keep the acquirer’s name for them from before it knew their outcome', async () => {
      const payment = paymentNamed('p1')
      one.calls = [{ kind: 'unknown', detail: 'not finished', payment }, 'unknown']
      const order = orderFor(await test.deposit())
      expect(await vault.authorize(order)).toMatchObject(UNKNOWN)
      expect(await rowsOf('card_charges')).toMatchObject([{ state: 'asked', payment_id: 'p1' }])
      test.clock.nowMs += MINUTE_MS
      await vault.recall(order)
      expect(await rowsOf('card_charges')).toMatchObject([{ state: 'asked', payment_id: 'p1' }])
    })

    it('forget an absence once a call may have arrived', async () => {
      one.calls = ['unknown', { kind: 'unknown', detail: '', absentSinceMs: 1 }, 'hangs']
      const order = orderFor(await test.deposit())
      await vault.authorize(order)
      test.clock.nowMs += MINUTE_MS
      await vault.recall(order)
      test.clock.nowMs += MINUTE_MS
      void vault.recall(order)
      await expect.poll(() => one.requests.length).toBe(3)
      test.clock.nowMs += CHARGE_LEASE_MS
      await startProcess(test, [one]).recall(order)
      expect(one.requests.map(({ earlier }) => earlier?.absentSinceMs)).toEqual([
        undefined,
        undefined,
        1,
        undefined,
      ])
    })

    it('have one answer in two processes, of which one asks', async () => {
      const other = startProcess(test, [one, two])
      const order = orderFor(await test.deposit())
      const answers = await Promise.all([vault.authorize(order), other.authorize(order)])
      for (const answer of answers) expect(answer).toMatchObject(chargedAt('one'))
      expect(one.requests).toHaveLength(1)
    })

    it('are unknown to a process that finds another one still asking', async () => {
      one.calls = ['hangs']
      const order = orderFor(await test.deposit())
      void vault.authorize(order)
      await expect.poll(() => one.requests.length).toBe(1)
      const other = startProcess(test, [one, two])
      expect(await other.recall(order)).toMatchObject(UNKNOWN)
      expect(one.requests).toHaveLength(1)
    })

    it('stay with a process that is no longer waited for, until its lease ends', async () => {
      one.calls = ['hangs']
      Object.assign(vault.deps, { acquirerTimeoutMs: 10 })
      const order = orderFor(await test.deposit())
      expect(await vault.authorize(order)).toMatchObject(UNKNOWN)
      // The next call ends on its own, however slow the machine is.
      Object.assign(vault.deps, { acquirerTimeoutMs: undefined })
      test.clock.nowMs += CHARGE_LEASE_MS - 1
      expect(await vault.recall(order)).toMatchObject(UNKNOWN)
      expect(one.requests).toHaveLength(1)
      test.clock.nowMs += 1
      expect(await vault.recall(order)).toMatchObject(chargedAt('one'))
    })

    it('that were charged twice keep one, and have the other cancelled', async () => {
      const order = orderFor(await test.deposit())
      const payment = { paymentId: 'p1', nsu: undefined, authorizationCode: undefined } as const
      const known = { ...payment, eci: undefined, networkTransactionId: undefined }
      one.calls = [
        { kind: 'done', value: { outcome: 'approved', payment: known, surplus: ['p2'] } },
      ]
      one.cancelResults = [
        { kind: 'done', value: { state: 'too_early', detail: 'tomorrow', retryAfterMs: DAY_MS } },
        { kind: 'unknown', detail: 'no answer' },
        { kind: 'done', value: { state: 'done', returnId: 'c1' } },
      ]
      await vault.authorize(order)
      await vault.followUp()
      await vault.followUp()
      expect(one.cancels).toHaveLength(1)
      test.clock.nowMs += DAY_MS
      await vault.followUp()
      test.clock.nowMs += MINUTE_MS
      await startProcess(test, [one]).followUp()
      await vault.followUp()
      expect(one.cancels).toMatchObject([
        { paymentId: 'p2', chargedMinor: 10_000 },
        { paymentId: 'p2' },
        { paymentId: 'p2', key: one.requests[0]?.key },
      ])
      expect(one.cancels.map(({ earlier }) => earlier === undefined)).toEqual([true, true, false])
      expect(await rowsOf('card_cancels')).toMatchObject([{ state: 'done', return_id: 'c1' }])
    })

    it('whose approval comes after their end are cancelled', async () => {
      const order = orderFor(await test.deposit())
      const other = startProcess(test, [one])
      one.during = async () => {
        one.during = () => undefined
        test.clock.nowMs += CHARGE_LEASE_MS
        one.calls.unshift(declinedFor(GENERIC))
        await other.recall(order)
      }
      expect(await vault.authorize(order)).toMatchObject({ outcome: 'declined' })
      await vault.followUp()
      expect(one.cancels).toMatchObject([{ paymentId: `one-${order.transactionCode}` }])
    })

    it('erase the card and the 3-DS result with the outcome', async () => {
      one.calls = ['unknown']
      const order = orderFor(await test.deposit(AMEX), { threeDSecure: THREE_D_SECURE })
      await vault.authorize(order)
      expect(await rowsOf('authorizations')).not.toMatchObject([{ sealed_card: null }])
      test.clock.nowMs += MINUTE_MS
      expect(await vault.recall(order)).toMatchObject({ charge: { liabilityShift: true } })
      expect(await rowsOf('authorizations')).toMatchObject([{ sealed_card: null }])
      expect(await dumpDatabase(test.database)).not.toContain(THREE_D_SECURE.cavv.reveal())
    })

    it('shift no liability when the acquirer saw no authentication', async () => {
      const payment = { paymentId: 'p1', nsu: undefined, authorizationCode: undefined, eci: '7' }
      const known = { ...payment, networkTransactionId: undefined }
      one.calls = [{ kind: 'done', value: { outcome: 'approved', payment: known, surplus: [] } }]
      const order = orderFor(await test.deposit(), { threeDSecure: THREE_D_SECURE })
      expect(await vault.authorize(order)).toMatchObject({ charge: { liabilityShift: false } })
    })

    it('mark the first and later uses of a card for the acquirer', async () => {
      const order = orderFor(await test.deposit(), { saveCard: true, isSubscription: true })
      const answer = await vault.authorize(order)
      const code = answer.kind === 'answered' ? (answer.savedCard?.code ?? '') : ''
      const later = startProcess(test, [two])
      await later.authorize(orderByCode(code))
      const networkTransactionId = `network one-${order.transactionCode}`
      const [first] = one.requests
      expect(first?.storedCredential).toEqual({ use: 'first', isSubscription: true })
      expect(two.requests[0]?.storedCredential).toEqual({
        use: 'later',
        isSubscription: false,
        networkTransactionId,
        newest: { networkTransactionId },
      })
    })

    it('store the network’s id for a card that was saved before accounts', async () => {
      const saved = await test.vault.authorize(orderFor(await test.deposit(), { saveCard: true }))
      const code = saved.kind === 'answered' ? (saved.savedCard?.code ?? '') : ''
      const order = orderByCode(code)
      one.calls = ['lost']
      await vault.authorize(order)
      test.clock.nowMs += MINUTE_MS
      await vault.recall(order)
      await vault.authorize(orderByCode(code))
      expect(one.requests.map((each) => each.storedCredential?.networkTransactionId)).toEqual([
        undefined,
        undefined,
        `network one-${order.transactionCode}`,
      ])
    })

    describe('of a gateway of 0.2.0', () => {
      const old = (token: string) => orderFor(token, { payer: undefined })

      it('are answered without what that gateway does not understand', async () => {
        const order = old(await test.deposit())
        one.calls = ['declined']
        const answer = JSON.stringify(await vault.authorize(order))
        expect(JSON.parse(answer)).toEqual({
          kind: 'answered',
          outcome: 'declined',
          card: { brand: 'visa', bin: '411111', lastFour: '1111' },
        })
        expect(JSON.stringify(await vault.recall(order))).toBe(answer)
      })

      it('are refused with `vault_unavailable`, which it understands', async () => {
        const order = old(await test.deposit())
        one.calls = ['away']
        two.calls = ['away']
        expect(await vault.authorize(order)).toEqual(refused('vault_unavailable'))
        const none = startProcess(test, [])
        expect(await none.authorize(order)).toEqual(refused('vault_unavailable'))
      })
    })

    it('that stay open for a week are listed, with cancels that were refused', async () => {
      one.calls = [
        'lost',
        {
          kind: 'done',
          value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: ['p2'] },
        },
      ]
      one.withFind()
      one.cancelResults = [
        {
          kind: 'done',
          value: { state: 'refused', reason: 'balance_too_low', code: '55', detail: 'no balance' },
        },
      ]
      const { transactionCode } = orderFor('')
      const open = orderFor(await test.deposit(), { transactionCode })
      await vault.authorize(open)
      await vault.authorize(orderFor(await test.deposit()))
      await vault.followUp()
      const list = () => createVaultAdministration(test.deps).undecidedCharges()
      const refusedCancel = { paymentId: 'p2', state: 'refused', detail: 'no balance' }
      expect(await list()).toMatchObject({ charges: [], cancels: [refusedCancel] })
      expect(await test.vault.census()).toMatchObject({
        openCancels: { production: 1, sandbox: 0 },
      })
      test.clock.nowMs += 7 * DAY_MS
      expect(await list()).toMatchObject({ charges: [] })
      test.clock.nowMs += 1
      await vault.followUp()
      expect(await list()).toMatchObject({
        charges: [{ key: { transactionCode }, accountId: 'one', merchantId: 'store-1' }],
        cancels: [refusedCancel],
      })
    })

    describe('whose outcome is unknown for a day', () => {
      const openOrder = async () => {
        one.calls = ['lost']
        const order = orderFor(await test.deposit(), { saveCard: true })
        await vault.authorize(order)
        test.clock.nowMs += DAY_MS + 1
        return order
      }

      it('lose their card, and are asked for with it no more', async () => {
        const order = await openOrder()
        expect(await vault.recall(order)).toMatchObject(UNKNOWN)
        one.cancelResults = [{ kind: 'unknown', detail: 'no answer' }]
        await vault.followUp()
        expect(await rowsOf('authorizations')).toMatchObject([{ sealed_card: null }])
        expect(await rowsOf('card_charges')).toMatchObject([{ state: 'ending' }])
        expect(await vault.recall(order)).toMatchObject(UNKNOWN)
        expect(one.requests).toHaveLength(1)
      })

      it('are cancelled by our key if the acquirer cannot be searched', async () => {
        const order = await openOrder()
        await vault.followUp()
        expect(one.cancels).toMatchObject([{ key: one.requests[0]?.key, chargedMinor: 10_000 }])
        expect(one.cancels[0]?.paymentId).toBeUndefined()
        expect(await vault.recall(order)).toMatchObject({
          outcome: 'declined',
          decline: { reason: 'system_failure' },
        })
      })

      it('wait for the acquirer’s report after it accepts the cancel', async () => {
        const order = await openOrder()
        one.cancelResults = [{ kind: 'done', value: { state: 'in_process', returnId: 'c1' } }]
        await vault.followUp()
        test.clock.nowMs += DAY_MS
        await vault.followUp()
        expect(one.cancels).toHaveLength(1)
        expect(await vault.recall(order)).toMatchObject(UNKNOWN)
        expect(await rowsOf('card_cancels')).toMatchObject([{ state: 'in_process' }])
        expect((await test.vault.census()).openCancels.production).toBe(0)
        test.clock.nowMs += 1
        expect((await test.vault.census()).openCancels.production).toBe(1)
      })

      it('have a cancel that is in process asked again where the acquirer can be read', async () => {
        one.calls = [
          {
            kind: 'done',
            value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: ['p2'] },
          },
        ]
        one.withFind()
        one.cancelResults = [{ kind: 'done', value: { state: 'in_process', returnId: 'c1' } }]
        await vault.authorize(orderFor(await test.deposit()))
        await vault.followUp()
        expect(await rowsOf('card_cancels')).toMatchObject([{ state: 'wanted' }])
        test.clock.nowMs += MINUTE_MS
        await vault.followUp()
        expect(one.cancels.map(({ earlier }) => earlier !== undefined)).toEqual([false, true])
        expect(await rowsOf('card_cancels')).toMatchObject([{ state: 'done' }])
      })

      const found = (state: 'approved' | 'authorized' | 'declined' | 'returned' | 'pending') => ({
        kind: 'done' as const,
        value: {
          state,
          payment: {
            paymentId: 'p1',
            nsu: '1',
            authorizationCode: '2',
            eci: undefined,
            networkTransactionId: undefined,
          },
          decline: state === 'declined' ? DECLINE : undefined,
          returnedMinor: 0 as never,
          surplus: [],
          disputes: [],
        },
      })
      it.each([
        ['approved', found('approved'), { outcome: 'approved', charge: { paymentId: 'p1' } }, []],
        ['authorized', found('authorized'), { outcome: 'declined' }, ['p1']],
        ['declined', found('declined'), { outcome: 'declined', decline: DECLINE }, []],
        ['returned', found('returned'), { outcome: 'declined' }, []],
        ['absent', { kind: 'absent' as const }, { outcome: 'declined' }, []],
        ['pending', found('pending'), UNKNOWN, []],
      ])('are found where that can be: %s', async (_, result, answer, cancelled) => {
        one.withFind(result)
        const order = await openOrder()
        await vault.followUp()
        expect(await vault.recall(order)).toMatchObject(answer)
        const named = cancelled.map((payment_id) => ({ payment_id }))
        expect(await rowsOf('card_cancels')).toMatchObject(named)
      })
    })

    describe('when the process is killed', () => {
      /** From its n-th unit of work on, a process is dead: its requests have no effect. */
      function dying(unitsLeft: number): Database<VaultTables> {
        let left = unitsLeft
        const lives = (): boolean => --left >= 0
        const never = <T>(): Promise<T> => new Promise<T>(() => undefined)
        const { database } = test
        return {
          ...database,
          commit: (statements) => (lives() ? database.commit(statements) : never()),
          transact: (work) => (lives() ? database.transact(work) : never()),
        }
      }

      it.each([0, 1, 2, 3, 4])('after its unit of work %i: one charge, or none', async (n) => {
        // Creates all keys.
        await vault.authorize(orderFor(await test.deposit(), { saveCard: true }))
        const before = charges()
        one.calls = ['away', 'lost']
        two.calls = ['lost']
        const killed = startProcess(test, [one, two], dying(n))
        const order = orderFor(await test.deposit(AMEX), { saveCard: true })
        await Promise.race([
          killed.authorize(order),
          new Promise((resolve) => setTimeout(resolve, 200)),
        ])
        test.clock.nowMs += 2 * MINUTE_MS
        let recalled = await vault.recall(order)
        for (let i = 0; i < 3 && recalled?.kind === 'answered'; i++) {
          if (recalled.outcome !== 'unknown') break
          test.clock.nowMs += 2 * MINUTE_MS
          recalled = await vault.recall(order)
        }
        if (recalled === undefined) {
          expect(charges()).toBe(before)
          expect(await vault.authorize(order)).toEqual(refused('token_invalid'))
        } else {
          expect(recalled).toMatchObject({ outcome: 'approved' })
          expect(charges()).toBe(before + 1)
        }
      })
    })
  })
}
