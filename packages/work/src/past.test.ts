import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ERRAND_MIGRATIONS, type ErrandTables, addErrands } from './claims.fixture.js'
import { clockHorizonMs, hasCome, isPast } from './past.js'

const NOW_MS = Date.UTC(2026, 10, 29)

/** Times that may be an hour ahead at most. */
const TIMES = [
  ['an instant ago', NOW_MS - 1, true],
  ['now', NOW_MS, true],
  ['in an instant', NOW_MS + 1, false],
  ['as far ahead as a clock may be wrong', NOW_MS + 2 * HOUR_MS, false],
  ['further ahead than that', NOW_MS + 2 * HOUR_MS + 1, true],
  ['a day ahead', NOW_MS + DAY_MS, true],
] as const

describe('a time that comes', () => {
  it.each(TIMES)('has come or not: %s', (_, atMs, isExpected) => {
    expect(hasCome(atMs, NOW_MS, HOUR_MS)).toBe(isExpected)
  })

  it('is at most twice as far ahead as it may be', () => {
    expect(clockHorizonMs(NOW_MS, HOUR_MS)).toBe(NOW_MS + 2 * HOUR_MS)
  })

  it.each(TEST_ENGINES)('is judged alike by $name', async (engine) => {
    const database = await engine.open<ErrandTables>(ERRAND_MIGRATIONS)
    onTestFinished(() => database.close())
    for (const [i, [, dueAtMs]] of TIMES.entries())
      await addErrands(database, { from: i, count: 1, dueAtMs })
    const rows = await database.reader
      .selectFrom('errands')
      .select('id')
      .where(isPast('next_at', NOW_MS, HOUR_MS))
      .orderBy('id')
      .execute()
    const expected = TIMES.flatMap(([, , isExpected], i) => (isExpected ? [i] : []))
    expect(rows.map(({ id }) => id)).toEqual(expected)
  })
})
