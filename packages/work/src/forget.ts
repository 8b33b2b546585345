import type { Connection, Database } from '@cofre/sql'
import { type Expression, type ExpressionBuilder, type SqlBool, type Updateable, sql } from 'kysely'
import { type AnyTables, anyTables } from './any-tables.js'

/** The number of rows that one unit of work forgets. */
const AT_ONCE = 500

export interface Forgetting<Tables, Table extends keyof Tables & string> {
  readonly table: Table
  /** The columns that identify a row. */
  readonly key: readonly (keyof Tables[Table] & string)[]
  /** The condition of rows that are over. A row that is renewed meanwhile stays. */
  readonly where: (of: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>
  /** The values to write if the rows themselves stay; after it they must not be over. */
  readonly set?: Updateable<Tables[Table]>
}

/** Forgets some of the rows that are over. Returns their number; repeat until it is 0. */
export async function forget<Tables, Table extends keyof Tables & string>(
  database: Pick<Database<Tables>, 'reader' | 'transact'>,
  { table, key, where, set }: Forgetting<Tables, Table>,
): Promise<number> {
  const condition = where as unknown as Condition
  const over = (db: Connection<Tables>, limit: number) =>
    anyTables(db).selectFrom<string>(table).select(key).where(condition).limit(limit)
  // Usually nothing is over, and a read is enough to find out.
  const found = await database.reader.poll(over(database.reader, 1))
  if (found.length === 0) return 0
  return await database.transact(async (trx) => {
    const columns = sql.join(key.map((name) => sql.ref(name)))
    const isOne = sql<SqlBool>`(${columns}) in ${over(trx, AT_ONCE)}`
    const db = anyTables(trx)
    // Repeats the condition: PostgreSQL checks only this one on a row that changes meanwhile.
    if (set !== undefined) {
      const change = db.updateTable<string>(table).set(set as Record<string, unknown>)
      const updated = change.where(isOne).where(condition)
      return Number((await updated.executeTakeFirstOrThrow()).numUpdatedRows)
    }
    const deleted = db.deleteFrom<string>(table).where(isOne).where(condition)
    return Number((await deleted.executeTakeFirstOrThrow()).numDeletedRows)
  })
}

/** Forgets all rows that are over, some in each unit of work. Returns their number. */
export async function forgetAll<Tables, Table extends keyof Tables & string>(
  database: Pick<Database<Tables>, 'reader' | 'transact'>,
  forgetting: Forgetting<Tables, Table>,
): Promise<number> {
  let all = 0
  for (;;) {
    const some = await forget(database, forgetting)
    if (some === 0) return all
    all += some
  }
}

type Condition = (of: ExpressionBuilder<AnyTables, string>) => Expression<SqlBool>
