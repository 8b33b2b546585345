import { prepareCondition } from '@cofre/sql'
import { TEST_ENGINES, type TestEngine } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestGateway, openTestGateway } from '../gateway.fixture.js'
import { intentOf } from '../intent.fixture.js'
import { insertIntent } from '../ledger/transaction/intent-insertion-sql.js'
import type {
  IntentConflict,
  Transaction,
  TransactionCode,
} from '../model/transaction/transaction.js'
import type { IntentPart, IntentRemoval } from './intent-part.js'

export interface TestedPart {
  /** The part of the intent with a number. */
  readonly of: (number: number) => IntentPart
  /** The number of rows that it has written for a transaction. */
  readonly writtenFor: (code: number) => Promise<number>
  /** Makes the part refuse intents from then on. */
  readonly refuse: () => Promise<unknown>
}

export interface PartPromises {
  readonly open: (test: TestGateway) => Promise<TestedPart> | TestedPart
  /** Fields of its intents. */
  readonly intent?: Partial<Transaction>
  /** Rows that it writes for one intent. */
  readonly writes: number
  /** True if they are deleted with an intent that is withdrawn. */
  readonly isRemoved?: boolean
  /** Removes them, if a room does. */
  readonly removal?: IntentRemoval
  /** The conflict with which it refuses; absent if it never does. */
  readonly refusal?: IntentConflict
  /** It admits one of several concurrent intents with these fields. */
  readonly isForOne?: Partial<Transaction>
}

const isNever = prepareCondition(() => sql<boolean>`1 = 0`)

/** Refuses every intent. */
export const REFUSING: IntentPart = {
  guard: () => isNever({}),
  refusal: () => Promise.resolve('limit_exceeded'),
}

export const INSERTED = { refusedBins: [] }

/** The promises of every part on both engines. */
export function describeIntentPart(name: string, promises: PartPromises): void {
  for (const engine of TEST_ENGINES)
    describe(`the intent part ${name} on ${engine.name}`, () => {
      keepsPromises(engine, promises)
      if (promises.refusal !== undefined) refuses(engine, promises, promises.refusal)
    })
}

async function begin(engine: TestEngine, { open, intent, removal }: PartPromises) {
  const intentRemovals = removal === undefined ? [] : [removal]
  const test = await openTestGateway(engine, { intentRemovals })
  onTestFinished(() => test.close())
  const part = await open(test)
  const { database } = test
  return {
    test,
    part,
    intent: (number: number, changes: Partial<Transaction> = {}) =>
      intentOf(number, { ...intent, ...changes }),
    insert: (of: Transaction, ...parts: IntentPart[]) => insertIntent(database, of, parts),
    stored: async (): Promise<readonly number[]> => {
      const rows = await database.reader
        .selectFrom('transactions')
        .select('code')
        .orderBy('code')
        .execute()
      return rows.map(({ code }) => code)
    },
  }
}

function keepsPromises(engine: TestEngine, promises: PartPromises): void {
  it('is written in the one commit of its intent', async () => {
    const { test, part, intent, insert } = await begin(engine, promises)
    const commits = vi.spyOn(test.database, 'commit')
    expect(await insert(intent(1), part.of(1))).toEqual(INSERTED)
    expect(commits).toHaveBeenCalledTimes(1)
    expect(await part.writtenFor(1)).toBe(promises.writes)
  })

  it('writes nothing for an intent that another part keeps out', async () => {
    const { part, intent, insert, stored } = await begin(engine, promises)
    expect(await insert(intent(1), part.of(1), REFUSING)).toBe('limit_exceeded')
    expect(await stored()).toEqual([])
    expect(await part.writtenFor(1)).toBe(0)
  })

  it('writes nothing for the transaction whose code its intent has drawn again', async () => {
    const { part, intent, insert, stored } = await begin(engine, promises)
    expect(await insert(intent(1, { payerDocument: '39053344705' }))).toEqual(INSERTED)
    const same = { code: 1 as TransactionCode }
    expect(await insert(intent(2, same), part.of(2))).toBe('code_taken')
    expect(await part.writtenFor(1)).toBe(0)
    // With another code, the same part admits it.
    expect(await insert(intent(2), part.of(2))).toEqual(INSERTED)
    expect(await stored()).toEqual([1, 2])
  })

  if (promises.isRemoved)
    it('goes with an intent that is withdrawn, and stays with one that may not be', async () => {
      const { test, part, intent, insert } = await begin(engine, promises)
      const { transactions } = test.parts
      expect(await insert(intent(1), part.of(1))).toEqual(INSERTED)
      expect(await insert(intent(2), part.of(2))).toEqual(INSERTED)
      const writtenForBoth = await part.writtenFor(1)
      await transactions.makePermanent(intent(1).code)
      expect(await transactions.withdrawIntent(intent(1))).toBe(false)
      expect(await part.writtenFor(1)).toBe(writtenForBoth)
      expect(await transactions.withdrawIntent(intent(2))).toBe(true)
      expect(await part.writtenFor(2)).toBe(writtenForBoth - promises.writes)
    })
}

function refuses(engine: TestEngine, promises: PartPromises, refusal: IntentConflict): void {
  it('refuses its intent with all that is committed with it, and reports why', async () => {
    const { part, intent, insert, stored } = await begin(engine, promises)
    await part.refuse()
    const before = await stored()
    expect(await insert(intent(7), part.of(7))).toBe(refusal)
    expect(await stored()).toEqual(before)
    expect(await part.writtenFor(7)).toBe(0)
    // Neither its code nor its reference is taken.
    expect(
      await insert(intent(7, { payerDocument: '39053344705', payerEmail: 'j@x.com' })),
    ).toEqual(INSERTED)
  })

  const { isForOne } = promises
  if (isForOne !== undefined)
    it('lets exactly one of concurrent intents in', async () => {
      const { part, intent, insert, stored } = await begin(engine, promises)
      const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
      const answers = await Promise.all(
        numbers.map((number) => insert(intent(number, isForOne), part.of(number))),
      )
      expect(answers.filter((answer) => answer !== refusal)).toEqual([INSERTED])
      expect(await stored()).toHaveLength(1)
    })
}
