import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES, type TestEngine } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NOW_MS, type TestGateway, cardRequest, openTestGateway } from '../../gateway.fixture.js'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import type { FollowsPayments } from './follows-payments.js'
import { paymentChanged } from './payment-changed.js'

export interface TestedSubscriber {
  /** Runs it until nothing is left to read, at a time of both clocks. */
  readonly read: (nowMs: number) => Promise<void>
  /** Makes it as an upgrade adds it: it knows nothing, and no row was left for it before. */
  readonly forgetAll: () => Promise<void>
  /** Status and brand of a payment, as it knows them; empty for an unknown payment. */
  readonly known: (code: number) => Promise<readonly string[]>
  /** The number of rows that are left for it. */
  readonly waiting: () => Promise<number>
}

/** How it follows payments, and how it is opened on a gateway. */
export interface SubscriberPromises {
  readonly follows: FollowsPayments
  readonly open: (test: TestGateway) => TestedSubscriber
}

/** The promises of every subscriber on both engines. */
export function describePaymentSubscriber(name: string, promises: SubscriberPromises): void {
  for (const engine of TEST_ENGINES)
    describe(`${name} as a subscriber to changes of payments on ${engine.name}`, () => {
      const begin = () => beginTest(engine, promises)
      keepsUp(begin)
      missesNothing(begin)
      if (engine.name === 'postgres') holdsNothingUp(begin)
    })
}

async function beginTest(engine: TestEngine, { follows, open }: SubscriberPromises) {
  const time = { nowMs: NOW_MS }
  const clock = { now: () => time.nowMs }
  const test = await openTestGateway(engine, {
    followers: [follows],
    clock,
    machineClock: clock,
    purchaseLimits: { perTransactionMinor: minorUnits(1_000_000), perPeriodMinor: undefined },
  })
  onTestFinished(() => test.close())
  const subscriber = open(test)
  const { reader } = test.database
  let payments = 0
  return {
    test,
    time,
    forgetAll: () => subscriber.forgetAll(),
    waiting: () => subscriber.waiting(),
    pay: async (): Promise<TransactionCode> => {
      payments += 1
      const body = cardRequest(`order-${payments}`)
      const { json } = await test.send('POST', '/transactions', { body })
      return Number((json.transaction as { code: string }).code) as TransactionCode
    },
    /** Makes a change of which no store is notified, in one unit of work. */
    change: (code: number, brand: string, hold: () => Promise<unknown> = () => Promise.resolve()) =>
      test.database.transact(async (trx) => {
        const changed = trx.updateTable('transactions').set({ sub_type: brand })
        await changed.where('code', '=', code).execute()
        await paymentChanged(trx, { code, isFoundAnyway: false })
        await hold()
      }),
    /** Changes a status, of which the store is notified. */
    chargeBack: (code: TransactionCode, atMs = time.nowMs) =>
      test.parts.transactions.changeStatus(code, { to: 'CHARGEBACK', atMs }),
    read: async (laterMs = 2 * SECOND_MS): Promise<void> => {
      time.nowMs += laterMs
      await subscriber.read(time.nowMs)
    },
    /** Its knowledge and the truth, for all payments. */
    knownAndTrue: async () => {
      const rows = await reader
        .selectFrom('transactions')
        .select(['code', 'status', 'sub_type'])
        .execute()
      return {
        known: await Promise.all(rows.map(({ code }) => subscriber.known(code))),
        true: rows.map(({ status, sub_type }) => [status, sub_type]),
      }
    },
  }
}

type Begin = () => ReturnType<typeof beginTest>

interface Knowledge {
  readonly known: readonly unknown[]
  readonly true: readonly unknown[]
}

function expectAllKnown({ known, true: all }: Knowledge): void {
  expect(known).toEqual(all)
}

function keepsUp(begin: Begin): void {
  it('knows a new payment, and each change of it once it reads', async () => {
    const { pay, change, chargeBack, read, knownAndTrue } = await begin()
    const code = await pay()
    await read()
    expect((await knownAndTrue()).known).toEqual([['COMPLETE', 'visa']])
    await change(code, 'elo')
    await read()
    expect((await knownAndTrue()).known).toEqual([['COMPLETE', 'elo']])
    await chargeBack(code)
    await read()
    expect((await knownAndTrue()).known).toEqual([['CHARGEBACK', 'elo']])
  })

  it('has one row of a payment that was changed, until it has read it, and none of one undone', async () => {
    const { pay, change, read, waiting } = await begin()
    const code = await pay()
    await read()
    const undone = change(code, 'elo', () => Promise.reject(new Error('undone')))
    await expect(undone).rejects.toThrow('undone')
    expect(await waiting()).toBe(0)
    await change(code, 'elo')
    await change(code, 'hipercard')
    expect(await waiting()).toBe(1)
    await read()
    expect(await waiting()).toBe(0)
  })
}

function missesNothing(begin: Begin): void {
  it('that was down for a day knows all that happened meanwhile', async () => {
    const { pay, change, chargeBack, read, time, knownAndTrue } = await begin()
    const before = [await pay(), await pay(), await pay()] as const
    await read()
    for (let hour = 0; hour < DAY_MS / HOUR_MS; hour++) {
      time.nowMs += HOUR_MS
      const code = await pay()
      if (hour % 3 === 0) await change(code, 'elo')
      if (hour % 3 === 1) await chargeBack(code)
    }
    await change(before[0], 'elo')
    await chargeBack(before[1])
    await read()
    expectAllKnown(await knownAndTrue())
  })

  it('that an upgrade adds begins with a scan, and follows changes from then on', async () => {
    const { pay, change, chargeBack, read, time, forgetAll, knownAndTrue } = await begin()
    const [first, second] = [await pay(), await pay()]
    await change(first, 'elo')
    time.nowMs += DAY_MS
    await chargeBack(second)
    time.nowMs += DAY_MS
    await forgetAll()
    await read()
    expectAllKnown(await knownAndTrue())
    await change(second, 'elo')
    await read()
    expectAllKnown(await knownAndTrue())
  })

  it('knows what is committed after later changes were read', async () => {
    const { test, pay, change, chargeBack, read, time, knownAndTrue } = await begin()
    const [first, second] = [await pay(), await pay()]
    const earlierMs = time.nowMs
    await read(MINUTE_MS)
    await pay()
    await read(MINUTE_MS)
    const { database } = test
    const row = await database.reader
      .selectFrom('transactions')
      .selectAll()
      .where('code', '=', first)
      .executeTakeFirstOrThrow()
    const late = { ...row, code: Math.min(first, second) - 1, reference: 'late', public_id: 'late' }
    await database.transact((trx) => trx.insertInto('transactions').values(late).execute())
    await chargeBack(second, earlierMs)
    await change(first, 'elo')
    await read(6 * MINUTE_MS)
    expectAllKnown(await knownAndTrue())
  })
}

function holdsNothingUp(begin: Begin): void {
  it('reads while a change is not committed yet, and knows it afterwards', async () => {
    const { pay, change, read, knownAndTrue } = await begin()
    const code = await pay()
    await read(10 * MINUTE_MS)
    const committing = Promise.withResolvers<undefined>()
    const changing = change(code, 'elo', () => committing.promise)
    await pay()
    await read()
    committing.resolve(undefined)
    await changing
    expect((await knownAndTrue()).known).toContainEqual(['COMPLETE', 'visa'])
    await read()
    expectAllKnown(await knownAndTrue())
  })

  it('knows a change that is committed while it reads the payment', async () => {
    const { pay, change, read, knownAndTrue } = await begin()
    const code = await pay()
    await read(10 * MINUTE_MS)
    for (let round = 0; round < 40; round++) {
      await change(code, `before-${round}`)
      await Promise.all([
        read(0),
        ...['one', 'two', 'three'].map((name) => change(code, `${name}-${round}`)),
      ])
      await read(0)
      expectAllKnown(await knownAndTrue())
    }
  })
}
