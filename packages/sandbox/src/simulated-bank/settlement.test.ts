import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RailName, cardRequest, railRequest } from '../../../gateway/src/gateway.fixture.js'
import { STORE, type TestSandbox, openTestSandbox, rawCard } from '../sandbox.fixture.js'
import type { BankEvent } from './bank-event-sql.js'
import { createSqlBankEventStore } from './bank-event-sql.js'
import { reportDue } from './bank-worker.js'

const SOON_MS = 5 * MINUTE_MS

for (const engine of TEST_ENGINES) {
  describe(`how the sandbox’s bank settles on ${engine.name}`, () => {
    let test: TestSandbox
    let references = 0
    beforeEach(async () => {
      test = await openTestSandbox(engine)
    })
    afterEach(() => test.close())

    const bankDeps = () => ({
      events: createSqlBankEventStore(test.database),
      reports: test.gateway.bankReports,
      clock: test.sandbox.clock,
      machineClock: test.machine,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    })
    /** Lets time pass, and then the bank report its due events. */
    const pass = async (durationMs = 0): Promise<void> => {
      if (durationMs > 0) await test.sandbox.clock.advance(durationMs)
      await reportDue(bankDeps())
    }
    const create = async (body: unknown): Promise<string> => {
      const { status, json } = await test.send('POST', '/transactions', { body })
      expect(status).toBe(201)
      return (json.transaction as { code: string }).code
    }
    const open = (rail: RailName, amount = 100) =>
      create(railRequest(`order-${++references}`, rail, { amount }))
    const card = (number: string) => {
      const body = cardRequest(`order-${++references}`, rawCard(number))
      const charge = [{ ...body.charge[0], currency: 'BRL' }]
      return create({ ...body, charge, payer: { ...body.payer, ip: '203.0.113.7' } })
    }
    const find = async (code: string) => await test.gateway.backOffice.findTransaction(STORE, code)
    const statusOf = async (code: string) => (await find(code))?.transaction.status

    it('waits for payers, and pays refunds at once, until another mode is set', async () => {
      expect(await test.sandbox.modes.modesOf(STORE)).toEqual({
        boleto: { kind: 'by-hand' },
        pix: { kind: 'by-hand' },
        'e-wallet': { kind: 'by-hand' },
        refund: { kind: 'at-once' },
      })
      const code = await open('pix')
      await pass(SOON_MS)
      expect(await statusOf(code)).toBe('PENDING')
    })

    it.each([
      ['boleto', 'boleto'],
      ['pix', 'pix'],
      ['e-wallet', 'pagseguro'],
    ] as const)(
      'settles %s at once, or after a while, as its store wants',
      async (method, rail) => {
        await test.sandbox.modes.setMode(STORE, method, { kind: 'at-once' })
        const first = await open(rail)
        await pass()
        expect(await statusOf(first)).toBe('COMPLETE')
        await test.sandbox.modes.setMode(STORE, method, { kind: 'after', seconds: 90 })
        const second = await open(rail)
        await pass(89 * SECOND_MS)
        expect(await statusOf(second)).toBe('PENDING')
        await pass(SECOND_MS)
        expect(await statusOf(second)).toBe('COMPLETE')
        await test.sandbox.modes.setMode(STORE, method, { kind: 'by-hand' })
        const third = await open(rail)
        await pass(DAY_MS / 24)
        expect(await statusOf(third)).toBe('PENDING')
      },
    )

    it.each([
      ['boleto', 10.01, 0, 'COMPLETE'],
      ['boleto', 10.03, 0, 'NOT-PAID'],
      ['pix', 10.01, 0, 'COMPLETE'],
      ['pix', 10.02, SOON_MS, 'COMPLETE'],
      ['pix', 10.03, 0, 'EXPIRED'],
    ] as const)('makes of a %s of %d after %d ms: %s', async (rail, amount, afterMs, status) => {
      const code = await open(rail, amount)
      if (afterMs > 0) {
        await pass(afterMs - 1)
        expect(await statusOf(code)).toBe('PENDING')
        await pass(1)
      } else await pass()
      expect(await statusOf(code)).toBe(status)
    })

    it.each([
      ['4000000000000044', 'UNDER-REVIEW', SOON_MS, 'COMPLETE'],
      ['4000000000000051', 'UNDER-REVIEW', SOON_MS, 'CANCELLED'],
      ['4000000000000069', 'PENDING', SOON_MS, 'COMPLETE'],
      ['4000000000000077', 'COMPLETE', DAY_MS, 'CHARGEBACK'],
      ['4000000000000010', 'UNDER-REVIEW', DAY_MS, 'UNDER-REVIEW'],
      ['4000000000000028', 'PENDING', DAY_MS, 'PENDING'],
      ['4111111111111111', 'COMPLETE', DAY_MS, 'COMPLETE'],
    ])('makes of the card %s %s, and after %d ms %s', async (number, first, afterMs, later) => {
      const code = await card(number)
      expect(await statusOf(code)).toBe(first)
      await pass(afterMs - 1)
      expect(await statusOf(code)).toBe(first)
      await pass(1)
      expect(await statusOf(code)).toBe(later)
    })

    it('keeps a status that a person chose before', async () => {
      const code = await card('4000000000000044')
      await test.gateway.backOffice.changeStatus(STORE, code, 'CANCELLED')
      await pass(SOON_MS)
      expect(await statusOf(code)).toBe('CANCELLED')
      expect(await pendingEvents()).toEqual([])
    })

    const pendingEvents = () => test.database.reader.selectFrom('bank_events').selectAll().execute()

    const refund = async (code: string, reference?: string): Promise<void> => {
      const body = {
        'transaction-id': code,
        'notify-url': 'https://shop.example/refunds',
        ...(reference !== undefined && { reference }),
      }
      const { status } = await test.send('POST', '/refunds', { body, digest: 'hex' })
      expect(status).toBe(201)
    }
    const refundStatus = async (code: string) => (await find(code))?.refunds.at(-1)?.status
    /** Makes the gateway's worker ask the bank once. */
    const ask = async (): Promise<void> => {
      const cards = vi.spyOn(test.parts.cards, 'refund')
      const worker = test.gateway.startWorker()
      await vi.waitFor(() => {
        expect(cards).toHaveBeenCalled()
      }, 60_000)
      await worker.stop()
      cards.mockRestore()
    }

    it('pays a refund after a while of the sandbox’s time', async () => {
      await test.sandbox.modes.setMode(STORE, 'refund', { kind: 'after', seconds: 60 })
      const code = await card('4111111111111111')
      await refund(code)
      await ask()
      expect(await refundStatus(code)).toBe('PROCESSING')
      await pass(59 * SECOND_MS)
      expect(await refundStatus(code)).toBe('PROCESSING')
      await pass(SECOND_MS)
      expect(await refundStatus(code)).toBe('PROCESSED')
      expect(await statusOf(code)).toBe('REFUNDED')
    })

    it('lets a refund’s reference choose, whatever the mode', async () => {
      await test.sandbox.modes.setMode(STORE, 'refund', { kind: 'by-hand' })
      const code = await card('4111111111111111')
      await refund(code, 'please REJECT')
      await ask()
      expect(await refundStatus(code)).toBe('REJECTED')
      test.machine.nowMs += SECOND_MS
      await refund(code, 'Slow-1')
      await ask()
      await pass(SOON_MS - 1)
      expect(await refundStatus(code)).toBe('PROCESSING')
      await pass(1)
      expect(await refundStatus(code)).toBe('PROCESSED')
    })

    it('waits for a transaction whose creation is not answered yet, and forgets one that is gone', async () => {
      const code = await open('pix')
      const { events } = bankDeps()
      const update = (open: number) =>
        test.gatewayDatabase.transact((trx) =>
          trx.updateTable('transactions').set({ open }).where('code', '=', Number(code)).execute(),
        )
      await update(1)
      await events.plan({ subject: 'transaction', id: code, outcome: 'COMPLETE' }, 0)
      await events.plan({ subject: 'transaction', id: '123', outcome: 'COMPLETE' }, 0)
      await pass()
      expect(await find(code)).toBeUndefined()
      expect(await pendingEvents()).toMatchObject([{ subject_id: Number(code) }])
      await update(0)
      test.machine.nowMs += SECOND_MS
      await pass()
      expect(await statusOf(code)).toBe('COMPLETE')
      expect(await pendingEvents()).toEqual([])
    })

    it('leaves to others what it does not reach within its lease', async () => {
      const store = createSqlBankEventStore(test.database)
      for (const id of ['1', '2', '3', '4', '5'])
        await store.plan({ subject: 'refund', id, outcome: 'PROCESSED' }, 0)
      const reported: string[] = []
      const reports = {
        report: () => Promise.resolve('open' as const),
        reportRefund(id: string) {
          reported.push(id)
          test.machine.nowMs += 4 * SECOND_MS
          return Promise.resolve()
        },
      }
      await reportDue({ ...bankDeps(), reports })
      expect(reported).toEqual(['1', '2', '3'])
      test.machine.nowMs += 4 * SECOND_MS
      await reportDue({ ...bankDeps(), reports })
      expect(reported).toEqual(['1', '2', '3', '4', '5'])
    })

    it('retries an event that fails after pauses that double, up to an hour, and no other waits', async () => {
      const store = createSqlBankEventStore(test.database)
      const startMs = test.sandbox.clock.now()
      await store.plan({ subject: 'refund', id: '1', outcome: 'PROCESSED' }, startMs)
      await store.plan({ subject: 'refund', id: '2', outcome: 'PROCESSED' }, startMs + SECOND_MS)
      const asked: string[] = []
      const reports = {
        report: () => Promise.resolve('open' as const),
        reportRefund(id: string) {
          asked.push(id)
          return id === '1' ? Promise.reject(new Error('a bug')) : Promise.resolve()
        },
      }
      const at = async (afterMs: number) => {
        test.machine.nowMs += startMs + afterMs - test.sandbox.clock.now()
        await reportDue({ ...bankDeps(), reports })
      }
      const triesOfFirst = () => asked.filter((id) => id === '1').length
      for (const [tries, seconds] of [0, 15, 45, 105, 225, 465].entries()) {
        await at(seconds * SECOND_MS - 1)
        expect(triesOfFirst()).toBe(tries)
        await at(seconds * SECOND_MS)
        expect(triesOfFirst()).toBe(tries + 1)
      }
      for (const days of [1, 2, 3]) await at(days * DAY_MS)
      await at(3 * DAY_MS + HOUR_MS - 1)
      expect(triesOfFirst()).toBe(9)
      await at(3 * DAY_MS + HOUR_MS)
      expect(triesOfFirst()).toBe(10)
      expect(asked.filter((id) => id === '2')).toEqual(['2'])
    })

    it('reports from a worker of its own until it is stopped', async () => {
      await test.sandbox.modes.setMode(STORE, 'pix', { kind: 'at-once' })
      const workers = [
        test.sandbox.startBankWorker(test.gateway),
        test.sandbox.startBankWorker(test.gateway),
      ]
      const codes = await Promise.all(Array.from({ length: 12 }, () => open('pix')))
      await vi.waitFor(async () => {
        // A report before its creation was answered is postponed by this clock.
        test.machine.nowMs += SECOND_MS
        expect(new Set(await Promise.all(codes.map(statusOf)))).toEqual(new Set(['COMPLETE']))
      }, 60_000)
      await Promise.all(workers.map((worker) => worker.stop()))
      for (const code of codes) expect((await find(code))?.notifications).toHaveLength(1)
    })
  })

  describe(`the bank’s events on ${engine.name}`, () => {
    const LEASE_MS = 15 * SECOND_MS
    let test: TestSandbox
    beforeEach(async () => {
      test = await openTestSandbox(engine)
    })
    afterEach(() => test.close())

    const event = (id: number): BankEvent => ({
      subject: 'transaction',
      id: String(id),
      outcome: 'COMPLETE',
    })
    const claim = (machineNowMs = 0) =>
      createSqlBankEventStore(test.database).claimDue({
        nowMs: 1000,
        machineNowMs,
        leaseMs: LEASE_MS,
        limit: 7,
      })

    it('are each given to one of several who ask at once', async () => {
      const events = createSqlBankEventStore(test.database)
      for (let id = 1; id <= 40; id++) await events.plan(event(id), id)
      const taken: string[] = []
      const take = async (): Promise<void> => {
        for (;;) {
          const claimed = await claim()
          // Other workers may hold the selected events, so an empty claim is repeated once.
          if (claimed.length === 0 && (await claim()).length === 0) return
          taken.push(...claimed.map(({ id }) => id))
        }
      }
      await Promise.all([take(), take(), take()])
      expect(taken).toHaveLength(new Set(taken).size)
      expect(taken.length).toBeGreaterThan(7)
    })

    it('are given to another when the lease of a dead worker has ended, not before', async () => {
      const events = createSqlBankEventStore(test.database)
      await events.plan(event(1), 1000)
      await events.plan(event(2), 1001)
      expect(await claim()).toEqual([event(1)])
      expect(await claim(LEASE_MS - 1)).toEqual([])
      expect(await claim(LEASE_MS)).toEqual([event(1)])
      await events.done(event(1))
      expect(await claim(3 * LEASE_MS)).toEqual([])
    })

    it('are given again when the machine’s clock was set back during a lease', async () => {
      await createSqlBankEventStore(test.database).plan(event(1), 1000)
      expect(await claim(DAY_MS)).toEqual([event(1)])
      expect(await claim()).toEqual([event(1)])
      expect(await claim()).toEqual([])
    })

    it('are planned once: the first counts', async () => {
      const events = createSqlBankEventStore(test.database)
      await events.plan(event(1), 1000)
      await events.plan({ subject: 'transaction', id: '1', outcome: 'CHARGEBACK' }, 0)
      expect(await claim()).toEqual([event(1)])
      expect(await events.isKnown(event(1))).toBe(true)
      expect(await events.isKnown({ subject: 'refund', id: '1' })).toBe(false)
    })
  })
}
