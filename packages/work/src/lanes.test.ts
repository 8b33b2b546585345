import { TEST_ENGINES } from '@cofre/sql/testing'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ERRAND_MIGRATIONS, type ErrandTables, addErrands } from './claims.fixture.js'
import { type Lanes, createLanes, isElsewhere } from './lanes.js'

/** Work that is under way until the test ends it. */
function begin(lanes: Lanes, lane: string | undefined) {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const over = lanes.run(lane, () => promise)
  return {
    async succeed() {
      resolve(undefined)
      await over
    },
    async fail() {
      reject(new Error('the bank hangs up'))
      await over.catch(() => undefined)
    },
  }
}

describe('lanes', () => {
  it('are busy from one under way, whether it succeeds or fails, and not after it', async () => {
    const lanes = createLanes()
    const [good, bad] = [begin(lanes, 'good'), begin(lanes, 'bad')]
    begin(lanes, undefined)
    expect(lanes.busy()).toEqual(['good', 'bad'])
    await good.succeed()
    expect(lanes.busy()).toEqual(['bad'])
    await bad.fail()
    expect(lanes.busy()).toEqual([])
  })

  it('are busy from a fifth of all places', async () => {
    const lanes = createLanes(10)
    begin(lanes, 'bank')
    expect(lanes.busy()).toEqual([])
    const second = begin(lanes, 'bank')
    expect(lanes.busy()).toEqual(['bank'])
    await second.fail()
    expect(lanes.busy()).toEqual([])
    for (let i = 0; i < 10; i++) await lanes.run('other', () => Promise.resolve())
    expect(lanes.busy()).toEqual([])
  })

  it.each([1, 2, 40, 400])('leave what is due to others soon, when %i of them hang', (count) => {
    const [places, perRound] = [640, 20]
    const lanes = createLanes(places)
    // Each lane is due in turn, without end.
    let due = Array.from({ length: count }, (_, i) => `bank-${i}`)
    let rounds = 0
    for (; lanes.busy().length < count; rounds++) {
      const busy = lanes.busy()
      for (let i = 0; i < perRound; i++) {
        const next = due.find((lane) => !busy.includes(lane)) ?? ''
        begin(lanes, next)
        due = [...due.filter((lane) => lane !== next), next]
      }
    }
    expect(rounds * perRound).toBeGreaterThanOrEqual(places / 5)
    expect(rounds * perRound).toBeLessThanOrEqual(places)
  })

  it('return what was done in them, or in none', async () => {
    const lanes = createLanes()
    expect(await lanes.run('bank', () => Promise.resolve(1))).toBe(1)
    expect(await lanes.run(undefined, () => Promise.resolve(2))).toBe(2)
  })

  it.each(TEST_ENGINES)('leave rows out only while they are busy, on $name', async (engine) => {
    const database = await engine.open<ErrandTables>(ERRAND_MIGRATIONS)
    onTestFinished(() => database.close())
    await addErrands(database, { from: 1, count: 3, dueAtMs: 0 })
    // The first is in lane a, the second in lane b, the third in none.
    const lane = sql<string | null>`case id when 1 then 'a' when 2 then 'b' end`
    const elsewhere = async (...busy: string[]) => {
      const rows = database.reader.selectFrom('errands').select('id').orderBy('id')
      return (await rows.where(isElsewhere(lane, busy)).execute()).map(({ id }) => id)
    }
    expect(await elsewhere()).toEqual([1, 2, 3])
    expect(await elsewhere('a')).toEqual([2, 3])
    expect(await elsewhere('a', 'b')).toEqual([3])
  })
})
