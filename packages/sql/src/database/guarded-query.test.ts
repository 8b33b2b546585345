import { expressionBuilder } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TEST_ENGINES } from '../testing.js'
import type { Connection } from './connection.js'
import type { Database, Migrations } from './database.js'
import { type Condition, prepareCondition, prepareGuarded } from './guarded-query.js'

interface Tables {
  notes: { id: number; text: string }
}
type Db = Connection<Tables>

const migrations: Migrations = {
  '0001_create_notes': {
    up: (schema) =>
      schema.schema
        .createTable('notes')
        .addColumn('id', 'bigint', (column) => column.primaryKey())
        .addColumn('text', 'text')
        .execute(),
  },
}

const of = expressionBuilder<Tables>()
const isThere = prepareCondition((db: Db, { id }: { id: number }) =>
  of.exists(db.selectFrom('notes').select('id').where('id', '=', id)),
)
const isFree = prepareCondition((db: Db, { text }: { text: string }) =>
  of.not(of.exists(db.selectFrom('notes').select('id').where('text', '=', text))),
)

for (const engine of TEST_ENGINES) {
  describe(`a guarded query on ${engine.name}`, () => {
    let database: Database<Tables>
    beforeEach(async () => {
      database = await engine.open<Tables>(migrations)
    })
    afterEach(() => database.close())

    const query = prepareGuarded((db: Db, { id, text }: { id: number; text: string }, guard) =>
      db
        .insertInto('notes')
        .columns(['id', 'text'])
        .expression(
          db.selectNoFrom((row) => [row.val(id).as('id'), row.val(text).as('text')]).where(guard),
        ),
    )
    const insert = async (id: number, text: string, conditions: readonly Condition[]) =>
      (await database.transact((trx) => trx.run(query({ id, text }, conditions)))).written

    it('is run where all its conditions hold, each with its own values', async () => {
      expect(await insert(1, 'one', [])).toBe(1)
      expect(await insert(2, 'two', [isThere({ id: 1 }), isFree({ text: 'two' })])).toBe(1)
      expect(await insert(3, 'two', [isThere({ id: 1 }), isFree({ text: 'two' })])).toBe(0)
      expect(await insert(3, 'three', [isThere({ id: 9 }), isFree({ text: 'three' })])).toBe(0)
      expect(await insert(3, 'three', [isThere({ id: 1 }), isThere({ id: 2 })])).toBe(1)
      expect(await insert(4, 'four', [isThere({ id: 1 }), isThere({ id: 9 })])).toBe(0)
    })

    it('is prepared once for the same conditions in the same order', () => {
      const nameFor = (...conditions: Condition[]) =>
        query({ id: 1, text: 'one' }, conditions).on(engine.name).name
      const both = nameFor(isThere({ id: 1 }), isFree({ text: 'one' }))
      expect(nameFor(isThere({ id: 2 }), isFree({ text: 'two' }))).toBe(both)
      const others = [nameFor(), nameFor(isThere({ id: 1 })), nameFor(isFree({ text: 'one' }))]
      expect(new Set([both, ...others]).size).toBe(4)
    })
  })
}
