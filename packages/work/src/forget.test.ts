import { expect, it } from 'vitest'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { ERRAND_MIGRATIONS, type ErrandTables, addErrands } from './claims.fixture.js'
import { forget } from './forget.js'

for (const engine of TEST_ENGINES) {
  it(`what is over is forgotten some at a time, and nothing else, on ${engine.name}`, async () => {
    const database = await engine.open<ErrandTables>(ERRAND_MIGRATIONS)
    await addErrands(database, { from: 1, count: 700, dueAtMs: 5 })
    await addErrands(database, { from: 701, count: 3, dueAtMs: 6 })
    const forgetOld = (key: readonly ('id' | 'subject')[]) =>
      forget(database, { table: 'errands', key, where: (of) => of('next_at', '<=', 5) })
    expect(await forgetOld(['id'])).toBe(500)
    expect(await forgetOld(['subject', 'id'])).toBe(200)
    expect(await forgetOld(['id'])).toBe(0)
    const rows = () =>
      database.reader.selectFrom('errands').select(['id', 'subject']).orderBy('id').execute()
    const ofA = (id: number) => ({ id, subject: 'a' })
    expect(await rows()).toEqual([701, 702, 703].map(ofA))

    const erased = await forget(database, {
      table: 'errands',
      key: ['id'],
      where: (of) => of('id', '<', 703).and('subject', '<>', ''),
      set: { subject: '' },
    })
    expect(erased).toBe(2)
    const blank = (id: number) => ({ id, subject: '' })
    expect(await rows()).toEqual([...[701, 702].map(blank), ofA(703)])
    await database.close()
  })
}
