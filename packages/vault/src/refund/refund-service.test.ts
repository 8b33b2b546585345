import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { TEST_ENGINES, openTwiceOnPostgres } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createLanes } from '@cofre/work'
import { VAULT_MIGRATIONS } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { claimChanges } from '../outbox/change-sql.js'
import {
  ACCOUNT,
  CHARGED_AT_MS,
  CODE,
  PAYMENT,
  TestBooks,
  readableAcquirer,
  replayingAcquirer,
  storeCharge,
} from './charged.fixture.js'
import { endAsReported } from './found-returns-sql.js'
import { type RefundDeps, processReturns, refundCharge } from './refund-service.js'
import { returnOfRow } from './card-return.js'
import { findReturn, insertReturnIfAbsent, dueReturns } from './return-sql.js'

const order = (refundId = '7', amountMinor = 3000) => ({
  merchantId: 'store-1',
  environment: 'production' as const,
  transactionCode: CODE,
  refundId,
  amountMinor: minorUnits(amountMinor),
})

/** The row of a wanted refund. */
const ROW = {
  environment: 'production',
  origin: 'gateway',
  amount_minor: 3000,
  reference: null,
  identity: null,
  state: 'wanted',
  attempts: 0,
  first_attempt_at_ms: null,
  absent_since_ms: null,
  returned_before_minor: null,
  not_before_ms: null,
  return_id: null,
  detail: null,
  created_at_ms: 0,
  ended_at_ms: null,
} as const

/** The change by which the gateway learns of that refund's end. */
const ended = (outcome: 'PROCESSED' | 'REJECTED') => ({
  kind: 'refund_ended',
  refundId: '7',
  amountMinor: 3000,
  outcome,
})

interface Stage {
  readonly deps: RefundDeps
  readonly books: TestBooks
  readonly clock: { nowMs: number }
  readonly lines: string[]
}

function stageOn(database: Database<VaultTables>, kind: 'readable' | 'replaying'): Stage {
  const books = new TestBooks()
  const acquirer = (kind === 'readable' ? readableAcquirer : replayingAcquirer)(books)
  const clock = { nowMs: Date.UTC(2026, 10, 21) }
  const lines: string[] = []
  const write = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
  }
  const deps: RefundDeps = {
    database,
    clock: { now: () => clock.nowMs },
    log: { info: write, warn: write, error: write },
    acquirerOf: (id) =>
      id === ACCOUNT ? Promise.resolve(acquirer) : Promise.reject(new Error('no such account')),
  }
  return { deps, books, clock, lines }
}

async function changes({ database, clock }: RefundDeps) {
  const reported = await claimChanges(database, 'production', clock.now())
  return reported.map(({ change }) => change)
}

for (const engine of TEST_ENGINES)
  describe(`refunds of cards on ${engine.name}`, () => {
    let database: Database<VaultTables>
    beforeEach(async () => {
      database = await engine.open<VaultTables>(VAULT_MIGRATIONS)
      await storeCharge(database)
    })
    afterEach(() => database.close())

    it('are requested once, however often, and answered the same', async () => {
      const { deps, books } = stageOn(database, 'readable')
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      await processReturns(deps, createLanes())
      expect(books.refunds).toEqual([{ refundId: '7', amountMinor: 3000 }])
      expect(books.requests).toEqual([
        {
          key: { installation: 'test', environment: 'production', transactionCode: CODE },
          earlier: undefined,
          refundId: '7',
          paymentId: PAYMENT,
          chargedMinor: 10_000,
          chargedAtMs: CHARGED_AT_MS,
          returnedBeforeMinor: 0,
          amountMinor: 3000,
        },
      ])
      // A gateway may not know the answer, if its database was restored.
      expect(await changes(deps)).toEqual([ended('PROCESSED')])
    })

    it('are refused under an id that another refund has', async () => {
      const { deps, books } = stageOn(database, 'readable')
      await refundCharge(deps, order())
      await storeCharge(database, { code: '9' })
      const refused = { kind: 'refused', detail: 'another refund has this id' }
      expect(await refundCharge(deps, order('7', 3001))).toEqual(refused)
      expect(await refundCharge(deps, { ...order(), transactionCode: '9' })).toEqual(refused)
      expect(books.refunds).toHaveLength(1)
    })

    it.each([
      ['is not there', '1', undefined, { kind: 'no_charge' }],
      ['was declined', '2', 'declined', { kind: 'refused' }],
      ['is of unknown outcome', '3', 'asked', { kind: 'in_process' }],
      ['was approved without a name', '4', 'approved', { kind: 'refused' }],
    ] as const)('are not asked for when the charge %s', async (_, code, state, answer) => {
      const { deps, books } = stageOn(database, 'readable')
      if (state !== undefined) await storeCharge(database, { code, state, paymentId: undefined })
      expect(await refundCharge(deps, { ...order(), transactionCode: code })).toMatchObject(answer)
      expect(books.requests).toEqual([])
    })

    it('in process stay so where notices decide, and are not requested again', async () => {
      const { deps, books, clock } = stageOn(database, 'replaying')
      expect(await refundCharge(deps, order())).toEqual({ kind: 'in_process' })
      clock.nowMs += 5 * DAY_MS
      await processReturns(deps, createLanes())
      expect(await refundCharge(deps, order())).toEqual({ kind: 'in_process' })
      expect(books.requests).toHaveLength(1)
      const kept = await findReturn(database.reader, { environment: 'production', name: '7' })
      expect(kept).toMatchObject({ state: 'in_process', returnId: 'RETURN7' })
    })

    it('in process are checked if the acquirer can be read, and their end is reported', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      books.faults.push({
        after: { kind: 'done', value: { state: 'in_process', returnId: undefined } },
      })
      expect(await refundCharge(deps, order())).toEqual({ kind: 'in_process' })
      await processReturns(deps, createLanes())
      expect(books.requests).toHaveLength(1)
      clock.nowMs += MINUTE_MS
      await processReturns(deps, createLanes())
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(books.refunds).toHaveLength(1)
      expect(await changes(deps)).toEqual([ended('PROCESSED')])
    })

    it.each([
      ['replaying', 'before'],
      ['replaying', 'after'],
      ['readable', 'before'],
      ['readable', 'after'],
    ] as const)('go back once at a %s acquirer when answers are lost %s', async (kind, when) => {
      const { deps, books, clock } = stageOn(database, kind)
      const cut = new Error('cut')
      for (const fault of [cut, { kind: 'unknown', detail: 'cut' } as const])
        books.faults.push(when === 'before' ? { before: fault } : { after: fault })
      for (let i = 0; i < 5; i++) {
        await refundCharge(deps, order())
        clock.nowMs += HOUR_MS
      }
      expect(books.refunds).toHaveLength(1)
      const [first, ...later] = books.requests
      expect(first?.earlier).toBeUndefined()
      expect(later.map(({ earlier }) => earlier?.firstAtMs)).toEqual(
        later.map(() => Date.UTC(2026, 10, 21)),
      )
    })

    it('are no first attempt after a process has died during its request', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      books.meanwhile = () => new Promise(() => undefined)
      // It may wake up after the test, when the database is closed.
      refundCharge(deps, order()).catch(() => undefined)
      while (books.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      books.meanwhile = () => Promise.resolve()
      // The other process waits until the dead one's lease is over.
      clock.nowMs += 10 * SECOND_MS
      expect(await refundCharge(deps, order())).toMatchObject({ kind: 'in_process' })
      expect(books.requests).toHaveLength(1)
      clock.nowMs += MINUTE_MS
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(books.requests[1]?.earlier).toMatchObject({ firstAtMs: Date.UTC(2026, 10, 21) })
    })

    it('pass an absence to the next attempt alone', async () => {
      const { deps, books, clock } = stageOn(database, 'replaying')
      books.faults.push(
        { before: { kind: 'unknown', detail: 'cut' } },
        { before: { kind: 'unknown', detail: 'absent', absentSinceMs: 42 } },
        { before: new Error('cut') },
      )
      for (let i = 0; i < 4; i++) {
        await refundCharge(deps, order())
        clock.nowMs += HOUR_MS
      }
      expect(books.requests.map(({ earlier }) => earlier?.absentSinceMs)).toEqual([
        undefined,
        undefined,
        42,
        undefined,
      ])
    })

    it('that were certainly not made are a first attempt again, at the time it names', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      const retryAfterMs = 20 * HOUR_MS
      const early = {
        kind: 'done',
        value: { state: 'too_early', detail: 'tomorrow', retryAfterMs },
      } as const
      books.faults.push({ before: early })
      const notBeforeMs = clock.nowMs + retryAfterMs
      const later = { kind: 'in_process', detail: 'tomorrow', notBeforeMs }
      expect(await refundCharge(deps, order())).toEqual(later)
      clock.nowMs += HOUR_MS
      expect(await refundCharge(deps, order())).toEqual(later)
      expect(books.requests).toHaveLength(1)
      clock.nowMs += 20 * HOUR_MS
      await processReturns(deps, createLanes())
      expect(books.requests.map(({ earlier }) => earlier)).toEqual([undefined, undefined])
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
    })

    it('take turns: the next is requested once it is known what became of the one before', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      books.faults.push({ after: { kind: 'unknown', detail: 'cut' } })
      await refundCharge(deps, order('1', 1000))
      expect(await refundCharge(deps, order('2', 1000))).toMatchObject({ kind: 'in_process' })
      expect(books.requests).toHaveLength(1)
      for (let i = 0; i < 3; i++) {
        clock.nowMs += MINUTE_MS
        await processReturns(deps, createLanes())
      }
      expect(books.refunds.map(({ refundId }) => refundId)).toEqual(['1', '2'])
      expect(books.requests.at(-1)).toMatchObject({ refundId: '2', returnedBeforeMinor: 1000 })
    })

    it('find refunds that people made at the acquirer, and report them once', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      books.refunds.push({ refundId: 'people', amountMinor: 500 })
      books.faults.push({ before: { kind: 'unknown', detail: 'cut' } })
      await refundCharge(deps, order())
      expect(books.requests[0]).toMatchObject({ returnedBeforeMinor: 500 })
      clock.nowMs += MINUTE_MS
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(books.returnedMinor).toBe(3500)
      expect(await changes(deps)).toEqual([
        {
          kind: 'provider_refund',
          providerRefundId: `${PAYMENT}-1`,
          amountMinor: 500,
          outcome: 'PROCESSED',
        },
        ended('PROCESSED'),
      ])
    })

    it.each(['readable', 'replaying'] as const)(
      'never return more than was charged, at a %s acquirer',
      async (kind) => {
        const { deps, books } = stageOn(database, kind)
        await refundCharge(deps, order('7', 3000))
        expect(await refundCharge(deps, order('8', 7001))).toEqual({
          kind: 'refused',
          detail: 'more would go back than was charged',
        })
        expect(await refundCharge(deps, order('9', 7000))).not.toMatchObject({ kind: 'refused' })
        expect(books.returnedMinor).toBe(10_000)
        expect(await changes(deps)).toContainEqual({
          ...ended('REJECTED'),
          refundId: '8',
          amountMinor: 7001,
        })
      },
    )

    it.each([
      ['reference', { reference: 'return-1' }],
      ['identity', { reference: 'order-1', identity: 'k1' }],
    ])(
      'of one %s are made once, whatever number a restored gateway gives them',
      async (_, named) => {
        const { deps, books } = stageOn(database, 'replaying')
        await refundCharge(deps, { ...order('7'), ...named })
        expect(await refundCharge(deps, { ...order('8'), ...named })).toEqual({
          kind: 'refused',
          detail: 'this refund has been asked for before, under another id',
        })
        expect(books.refunds).toHaveLength(1)
        expect(await changes(deps)).toEqual([{ ...ended('REJECTED'), refundId: '8', ...named }])
      },
    )

    it('of one reference are two if their gateway gives them two identities', async () => {
      const { deps, books } = stageOn(database, 'replaying')
      for (const refundId of ['7', '8', '9']) {
        const identity = refundId === '7' ? {} : { identity: `k${refundId}` }
        await refundCharge(deps, { ...order(refundId), reference: 'order-1', ...identity })
      }
      expect(books.refunds.map((one) => one.refundId)).toEqual(['7', '8', '9'])
    })

    it('of a reference that was refused may be requested again', async () => {
      const { deps, books } = stageOn(database, 'replaying')
      const detail = 'balance'
      const refused = {
        kind: 'done',
        value: { state: 'refused', reason: 'balance_too_low', code: '76', detail },
      } as const
      books.faults.push({ before: refused })
      await refundCharge(deps, { ...order('7'), reference: 'return-1' })
      const again = await refundCharge(deps, { ...order('8'), reference: 'return-1' })
      expect(again).toEqual({ kind: 'in_process' })
    })

    it.each([
      ['is leased to another process', { leaseUntilMs: 30 * SECOND_MS }],
      ['has an unknown payment', { paymentId: undefined }],
    ])('are asked for however many are due whose charge %s', async (_, state) => {
      const { deps, books, clock } = stageOn(database, 'replaying')
      const wanted = (code: string, name: string) =>
        returnOfRow({ ...ROW, transaction_code: Number(code), name, next_ask_at_ms: clock.nowMs })
      await database.transact(async (trx) => {
        for (let i = 1; i <= 20; i++) await insertReturnIfAbsent(trx, wanted(String(i), String(i)))
        await insertReturnIfAbsent(trx, { ...wanted(CODE, '99'), nextAskAtMs: clock.nowMs + 1 })
      })
      for (let i = 1; i <= 20; i++)
        await storeCharge(database, {
          code: String(i),
          paymentId: 'paymentId' in state ? state.paymentId : `P${i}`,
        })
      if ('leaseUntilMs' in state)
        await database.transact((trx) =>
          trx
            .updateTable('card_charges')
            .set({ lease_until_ms: clock.nowMs + state.leaseUntilMs })
            .where('transaction_code', '<>', Number(CODE))
            .execute(),
        )
      clock.nowMs += 1
      for (let round = 0; round < 2; round++) await processReturns(deps, createLanes())
      expect(books.refunds.map(({ refundId }) => refundId)).toEqual(['99'])
    })

    /** Refunds that are due at once, each with a charge of its own. */
    const dueAt = async (accountId: string, codes: readonly string[], nowMs: number) => {
      for (const code of codes) {
        const refund = { ...ROW, transaction_code: Number(code), name: code }
        await database.transact((trx) =>
          insertReturnIfAbsent(trx, returnOfRow({ ...refund, next_ask_at_ms: nowMs })),
        )
        await storeCharge(database, { code, account: accountId, paymentId: `P${code}` })
      }
    }

    it('continue although the row of one cannot be read, and that one lets others come first', async () => {
      const { deps, books, clock, lines } = stageOn(database, 'replaying')
      await dueAt(ACCOUNT, ['98', '99'], clock.nowMs)
      const damaged = { amount_minor: -1, next_ask_at_ms: clock.nowMs - 1 }
      await database.transact((trx) =>
        trx.updateTable('card_returns').set(damaged).where('name', '=', '98').execute(),
      )
      await processReturns(deps, createLanes())
      expect(books.refunds.map(({ refundId }) => refundId)).toEqual(['99'])
      expect(lines).toEqual([expect.stringContaining('a refund could not be asked for')])
      const nothingBusy = { nowMs: clock.nowMs, limit: 9, busy: [] }
      expect(await dueReturns(database.reader, nothingBusy)).toEqual([])
    })

    it('of one acquirer are requested though another hangs that has many', async () => {
      const { deps, books, clock } = stageOn(database, 'replaying')
      const many = Array.from({ length: 50 }, (_, i) => String(100 + i))
      await dueAt('hangs', many, clock.nowMs - 1)
      await dueAt(ACCOUNT, ['99'], clock.nowMs)
      const hung = Promise.withResolvers<never>()
      const acquirerOf = (id: string) => (id === 'hangs' ? hung.promise : deps.acquirerOf(id))
      const lanes = createLanes()
      const first = processReturns({ ...deps, acquirerOf }, lanes)
      await expect.poll(() => lanes.busy()).toEqual(['hangs'])
      await processReturns({ ...deps, acquirerOf }, lanes)
      expect(books.refunds.map(({ refundId }) => refundId)).toEqual(['99'])
      hung.reject(new Error('closed'))
      await first
      expect(lanes.busy()).toEqual([])
    })

    it('count what people have returned at the acquirer', async () => {
      const { deps, books } = stageOn(database, 'readable')
      books.refunds.push({ refundId: 'people', amountMinor: 8000 })
      expect(await refundCharge(deps, order())).toMatchObject({ kind: 'refused' })
      expect(books.requests).toEqual([])
    })

    it('that have ended while the acquirer was read are not requested', async () => {
      const { deps, books } = stageOn(database, 'readable')
      books.meanwhileRead = () =>
        database.transact(async (trx) => {
          const refund = await findReturn(trx, { environment: 'production', name: '7' })
          if (refund !== undefined)
            await endAsReported(trx, {
              refund,
              outcome: 'REJECTED',
              detail: 'ended',
              atMs: 1,
              nowMs: 1,
            })
        })
      expect(await refundCharge(deps, order())).toEqual({ kind: 'refused', detail: 'ended' })
      expect(books.requests).toEqual([])
      expect(await changes(deps)).toHaveLength(1)
    })

    it('are not requested by a process that slept until its turn was nearly over', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      const now = (): number => (clock.nowMs += 11 * SECOND_MS)
      expect(await refundCharge({ ...deps, clock: { now } }, order())).toMatchObject({
        kind: 'in_process',
        detail: expect.stringContaining('turn') as string,
      })
      expect(books.requests).toEqual([])
      clock.nowMs += MINUTE_MS
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(books.requests).toMatchObject([{ refundId: '7' }])
      expect(books.requests[0]?.earlier).toBeUndefined()
    })

    it('that were made after another process had ended them are an error in the log', async () => {
      const { deps, books, clock, lines } = stageOn(database, 'readable')
      books.meanwhile = async () => {
        books.meanwhile = () => Promise.resolve()
        clock.nowMs += 2 * MINUTE_MS
        await processReturns(deps, createLanes())
      }
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(lines.join('\n')).toContain('it may be made twice')
    })

    it('wait while the acquirer’s sum lags behind what it has just returned', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      await refundCharge(deps, order('1', 1000))
      const [made] = books.refunds.splice(0)
      await refundCharge(deps, order('2', 1000))
      expect(books.requests).toHaveLength(1)
      if (made !== undefined) books.refunds.push(made)
      clock.nowMs += 10 * MINUTE_MS
      expect(await refundCharge(deps, order('2', 1000))).toEqual({ kind: 'done' })
    })

    it('that are refused stay refused, with the reason', async () => {
      const { deps, books, clock, lines } = stageOn(database, 'readable')
      const refused = {
        kind: 'done',
        value: {
          state: 'refused',
          reason: 'balance_too_low',
          code: '76',
          detail: 'ReturnCode 76',
        },
      } as const
      books.faults.push({ before: refused })
      const answer = { kind: 'refused', detail: 'ReturnCode 76' }
      expect(await refundCharge(deps, order())).toEqual(answer)
      clock.nowMs += DAY_MS
      await processReturns(deps, createLanes())
      expect(await refundCharge(deps, order())).toEqual(answer)
      expect(books.requests).toHaveLength(1)
      expect(lines.join('\n')).toContain('ReturnCode 76')
    })

    it('wait where the account cannot be used', async () => {
      const { deps, books, clock } = stageOn(database, 'readable')
      const broken = { ...deps, acquirerOf: () => Promise.reject(new Error('locked')) }
      expect(await refundCharge(broken, order())).toEqual({
        kind: 'in_process',
        detail: 'its account cannot be used',
      })
      expect(await refundCharge(deps, order())).toMatchObject({ kind: 'in_process' })
      clock.nowMs += MINUTE_MS
      expect(await refundCharge(deps, order())).toEqual({ kind: 'done' })
      expect(books.requests[0]?.earlier).toBeUndefined()
    })
  })

it('two vaults on one database ask for a refund once, and for several in turns', async () => {
  const [one, other] = await openTwiceOnPostgres<VaultTables>(VAULT_MIGRATIONS)
  onTestFinished(async () => {
    await other.close()
    await one.close()
  })
  await storeCharge(one)
  const stage = stageOn(one, 'readable')
  const { books, clock, deps } = stage
  let underWay = 0
  books.meanwhile = async () => {
    underWay += 1
    expect(underWay).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    underWay -= 1
  }
  const both = [deps, { ...deps, database: other }]
  for (let round = 0; round < 12; round++) {
    await Promise.all(
      both.flatMap((each) => [
        refundCharge(each, order('1', 1000)),
        refundCharge(each, order('2', 2000)),
        refundCharge(each, order('3', 3000)),
        processReturns(each, createLanes()),
      ]),
    )
    clock.nowMs += MINUTE_MS
  }
  expect(books.refunds.map(({ refundId }) => refundId).toSorted()).toEqual(['1', '2', '3'])
  expect(books.returnedMinor).toBe(6000)
})
