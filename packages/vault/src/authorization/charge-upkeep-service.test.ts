import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestVault, openTestVault, orderFor, paymentNamed } from '../vault.fixture.js'
import { CHARGE_LEASE_MS } from './card-charge.js'
import { endCharge } from './charge-end-service.js'
import { TestAccount, type TestProcess, startProcess } from './charging.fixture.js'

const AWAY = { kind: 'not-sent', cause: 'no-connection', detail: 'away' } as const
const NEVER = new Promise<never>(() => undefined)

for (const engine of TEST_ENGINES) {
  describe(`Follow-up at acquirers, on ${engine.name}`, () => {
    let test: TestVault
    let one: TestAccount
    let lost: TestAccount
    let vault: TestProcess
    beforeEach(async () => {
      test = await openTestVault(engine)
      one = new TestAccount('one')
      lost = new TestAccount('lost')
      vault = startProcess(test, [one])
    })
    afterEach(() => test.database.close())

    const cancels = () => test.database.reader.selectFrom('card_cancels').selectAll().execute()
    const order = async () => orderFor(await test.deposit())
    const approve = (key: ReturnType<typeof orderFor>, paymentId: string) =>
      endCharge(vault.deps, key, {
        outcome: 'approved',
        payment: paymentNamed(paymentId),
        decline: undefined,
        surplus: [],
      })

    async function unknown() {
      one.calls = ['lost']
      const open = await order()
      await vault.authorize(open)
      test.clock.nowMs += SECOND_MS
      return open
    }

    async function unknownForADay() {
      const open = await unknown()
      test.clock.nowMs += DAY_MS
      return open
    }

    it.each([
      ['wanted', AWAY],
      [
        'refused',
        { kind: 'done', value: { state: 'refused', reason: 'other', code: '9', detail: 'no' } },
      ],
    ] as const)('is no %s cancel of a charge that was approved late', async (state, result) => {
      const open = await unknownForADay()
      one.cancelResults = [result]
      await vault.followUp()
      expect(await cancels()).toMatchObject([{ payment_id: '', state }])
      await approve(open, 'p1')
      expect(await cancels()).toMatchObject([{ state: 'done', detail: 'charged after all' }])
      test.clock.nowMs += DAY_MS
      await vault.followUp()
      expect(one.cancels).toHaveLength(1)
    })

    it('cancels no payment that its order was answered with', async () => {
      const open = await unknownForADay()
      one.cancelResults = [AWAY, AWAY]
      await vault.followUp()
      await approve(open, 'p1')
      // The rows of a process whose call was under way meanwhile.
      const wanted = { state: 'wanted', ended_at_ms: null } as const
      await test.database.transact(async (trx) => {
        await trx.updateTable('card_cancels').set(wanted).execute()
        const [byKey] = await trx.selectFrom('card_cancels').selectAll().execute()
        if (byKey === undefined) throw new Error('there is no cancel')
        for (const payment_id of ['p1', 'p2'])
          await trx
            .insertInto('card_cancels')
            .values({ ...byKey, payment_id })
            .execute()
      })
      one.cancels.length = 0
      test.clock.nowMs += DAY_MS
      await vault.followUp()
      expect(one.cancels.map(({ paymentId }) => paymentId)).toEqual(['p2'])
      const dropped = (await cancels()).filter(({ detail }) => detail === 'charged after all')
      expect(dropped.map(({ payment_id }) => payment_id).toSorted()).toEqual(['', 'p1'])
    })

    it('continues for other accounts when one cannot be used', async () => {
      const both = startProcess(test, [lost, one])
      lost.calls = Array.from({ length: 10 }, () => 'lost' as const)
      for (let i = 0; i < 10; i++) await both.authorize(await order())
      test.clock.nowMs += SECOND_MS
      one.withFind({ kind: 'absent' })
      one.calls = ['lost']
      const open = await order()
      await vault.authorize(open)
      test.clock.nowMs += DAY_MS + 1
      for (let round = 0; round < 3; round++) {
        await vault.followUp()
        test.clock.nowMs += HOUR_MS
      }
      expect(await vault.recall(open)).toMatchObject({ outcome: 'declined' })
    })

    it.each([
      ['cancelled', false],
      ['found', true],
    ])(
      'is a charge to be %s behind more that cannot be read than a round takes',
      async (_, isReadable) => {
        if (isReadable) one.find = () => Promise.resolve({ kind: 'absent' })
        for (let i = 0; i < 12; i++) await unknown()
        const whole = await unknown()
        await test.database.transact((trx) =>
          trx
            .updateTable('authorizations')
            .set({ amount_minor: -1 })
            .where('transaction_code', '!=', Number(whole.transactionCode))
            .execute(),
        )
        test.clock.nowMs += DAY_MS
        for (let round = 0; round < 5; round++) {
          await vault.followUp()
          test.clock.nowMs += HOUR_MS
        }
        expect(await vault.recall(whole)).toMatchObject({ outcome: 'declined' })
        expect(test.log.lines.join()).toContain('a charge could not be followed up')
      },
    )

    it('asks an account that cannot be used for cancels after growing pauses', async () => {
      one.calls = [
        {
          kind: 'done',
          value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: ['p2'] },
        },
      ]
      await vault.authorize(await order())
      const without = startProcess(test, [])
      for (let seconds = 0; seconds < 60; seconds++) {
        await without.followUp()
        test.clock.nowMs += SECOND_MS
      }
      expect(test.log.lines.filter((line) => line.includes('cannot be used'))).toHaveLength(4)
      test.clock.nowMs += HOUR_MS
      await vault.followUp()
      expect(one.cancels).toMatchObject([{ paymentId: 'p2', earlier: undefined }])
    })

    it('waits no longer for a call that does not end', async () => {
      // Cuts short only calls that never end, however slow the machine is.
      const followUpAtMost10Ms = async () => {
        Object.assign(vault.deps, { acquirerTimeoutMs: 10 })
        await vault.followUp()
        Object.assign(vault.deps, { acquirerTimeoutMs: undefined })
      }
      await unknownForADay()
      one.find = () => NEVER
      await followUpAtMost10Ms()
      one.calls = [
        {
          kind: 'done',
          value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: ['p2'] },
        },
      ]
      await vault.authorize(await order())
      one.cancel = () => NEVER
      await followUpAtMost10Ms()
      expect(await cancels()).toMatchObject([{ state: 'wanted', detail: 'no answer' }])
    })

    it('makes no request in a process that slept until its lease was nearly over', async () => {
      const sleep = (ms: number) => {
        one.opened = () => {
          test.clock.nowMs += ms
          return Promise.resolve(one)
        }
      }
      sleep(CHARGE_LEASE_MS - 5 * SECOND_MS)
      expect(await vault.authorize(await order())).toMatchObject({
        kind: 'refused',
        reason: 'acquirer_unavailable',
      })
      expect(one.requests).toEqual([])
      sleep(0)
      one.calls = [
        {
          kind: 'done',
          value: { outcome: 'approved', payment: paymentNamed('p1'), surplus: ['p2'] },
        },
      ]
      await vault.authorize(await order())
      sleep(CHARGE_LEASE_MS)
      await vault.followUp()
      expect(one.cancels).toEqual([])
      sleep(0)
      test.clock.nowMs += MINUTE_MS
      await vault.followUp()
      expect(one.cancels).toMatchObject([{ earlier: undefined }])
    })
  })
}
