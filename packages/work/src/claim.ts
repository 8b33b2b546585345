import { type Connection, type Database, namedLock } from '@cofre/sql'
import {
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  type Updateable,
  sql,
} from 'kysely'
import { anyTables } from './any-tables.js'
import { type TimeColumn, clockHorizonMs, isPast } from './past.js'

/**
 * The condition for due rows of a table, and how many of them are wanted. Times in milliseconds.
 */
export interface Due {
  /** The column with the time since which a row is due; null if it waits for nothing. */
  readonly at: TimeColumn
  /**
   * How far ahead that time may be. One further ahead was written before the clock was set back.
   * Absent if the time may be any.
   */
  readonly longestMs?: number
  /** The time by the clock that wrote the column. */
  readonly nowMs: number
  readonly limit: number
  /** The column with a row's lease, if it is separate from the due time. Null and 0 mean free. */
  readonly lease?: {
    readonly until: TimeColumn
    readonly longestMs: number
    /** The machine's time, if rows are due by another clock; default `nowMs`. */
    readonly nowMs?: number
  }
}

/** The due and free rows of a query, those that have waited longest first. */
export function dueFirst<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  due: Due,
): SelectQueryBuilder<Tables, Table, Row> {
  const { at, longestMs, nowMs, limit } = due
  const isDue = longestMs === undefined ? hasPassed(due) : isPast(at, nowMs, longestMs)
  return query.where(isDue).where(isFree(due)).orderBy(sql.ref(at)).limit(limit)
}

/**
 * True if there are such rows. Reads two ranges of an index, however many rows wait between them.
 * The order keeps PostgreSQL from reading the whole table while it doesn't know how few rows wait.
 */
async function isAnyDue<Tables, Table extends keyof Tables, Row>(
  reader: Connection<Tables>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  due: Due,
): Promise<boolean> {
  const { at, longestMs, nowMs } = due
  const times = query.clearSelect().select(sql.ref(at).as('at')).where(isFree(due))
  const ranges = [times.where(hasPassed(due))]
  if (longestMs !== undefined)
    ranges.push(times.where(sql<SqlBool>`${sql.ref(at)} > ${clockHorizonMs(nowMs, longestMs)}`))
  const isThere = ranges.map((range) => sql`(${range.orderBy(sql.ref(at)).limit(1)}) is not null`)
  const search = sql<{ found: SqlBool }>`select ${sql.join(isThere, sql` or `)} as found`
  const [row] = await reader.poll({ compile: () => search.compile(reader) })
  return Boolean(row?.found)
}

const hasPassed = ({ at, nowMs }: Due) => sql<SqlBool>`${sql.ref(at)} <= ${nowMs}`

function isFree({ nowMs, lease }: Due): RawBuilder<SqlBool> {
  if (lease === undefined) return sql`${sql.lit(1)} = ${sql.lit(1)}`
  const isDue = isPast(lease.until, lease.nowMs ?? nowMs, lease.longestMs)
  return sql`(${sql.ref(lease.until)} is null or ${isDue})`
}

export interface Claim<Tables, Table extends keyof Tables & string, Row> {
  readonly table: Table
  /** The columns that identify a row. */
  readonly key: readonly (keyof Row & keyof Tables[Table] & string)[]
  readonly due: Due
  /**
   * Rows that may be due, with the condition of the partial index that finds them. An order of the
   * query comes before the waiting time.
   */
  readonly rows: (db: Connection<Tables>) => SelectQueryBuilder<Tables, Table, Row>
  /**
   * The values to write into a claimed row: when it is due again, or its lease ends, if the caller
   * dies. A failure counted here makes the next pause longer. It must not throw: that would block
   * the rows claimed with it.
   */
  readonly take: (row: Row) => Updateable<Tables[Table]>
  /**
   * For rows that block each other: callers of one name take turns, and each sees the claims before
   * it. A locked row is waited for, not skipped.
   */
  readonly turns?: string
}

/**
 * Claims due rows. Among any number of callers and processes, only one gets a row, until the time
 * that `take` wrote is over. Returns the rows as they were before.
 */
export async function claim<Tables, Table extends keyof Tables & string, Row>(
  database: Pick<Database<Tables>, 'reader' | 'transact'>,
  wanted: Claim<Tables, Table, Row>,
): Promise<readonly Row[]> {
  // Usually nothing is due, and a read is enough to find out.
  const { reader } = database
  if (!(await isAnyDue(reader, wanted.rows(reader), wanted.due))) return []
  return await database.transact((trx) => claimIn(trx, wanted))
}

/** Like {@link claim}, in a unit of work that does more. */
export async function claimIn<Tables, Table extends keyof Tables & string, Row>(
  trx: Connection<Tables>,
  { table, key, due, rows, take, turns }: Claim<Tables, Table, Row>,
): Promise<readonly Row[]> {
  if (turns !== undefined) await trx.run(namedLock(turns))
  const taken =
    turns === undefined
      ? await lockDue(rows(trx), due)
      : await dueFirst(rows(trx), due).forUpdate().execute()
  const changed = taken.map((row) => ({ row, change: take(row) }))
  for (const alike of Map.groupBy(changed, ({ change }) => JSON.stringify(change)).values())
    for (let from = 0; from < alike.length; from += ROWS_AT_ONCE)
      await write(trx, { table, key }, alike.slice(from, from + ROWS_AT_ONCE))
  return taken
}

/** SQLite nests at most a thousand conditions. */
const ROWS_AT_ONCE = 200

interface TakenRow<Row> {
  readonly row: Row
  /** Equal for each row of a write. */
  readonly change: object
}

async function write<Tables, Table extends keyof Tables & string, Row>(
  trx: Connection<Tables>,
  { table, key }: Pick<Claim<Tables, Table, Row>, 'table' | 'key'>,
  taken: readonly TakenRow<Row>[],
): Promise<void> {
  const [first] = taken
  if (first === undefined) return
  const keys = taken.map(({ row }) => Object.fromEntries(key.map((name) => [name, row[name]])))
  await anyTables(trx)
    .updateTable<string>(table)
    .set(first.change as Readonly<Record<string, unknown>>)
    .where((of) => of.or(keys.map((one) => of.and(one))))
    .execute()
}

/** Reads two ranges of an index; the second has rows only if a clock was set back. */
async function lockDue<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  due: Due,
): Promise<Row[]> {
  const { at, limit, longestMs, nowMs } = due
  const free = query.where(isFree(due)).orderBy(sql.ref(at)).forUpdate().skipLocked()
  const taken = await free.where(hasPassed(due)).limit(limit).execute()
  if (longestMs === undefined || taken.length === limit) return taken
  const ahead = sql<SqlBool>`${sql.ref(at)} > ${clockHorizonMs(nowMs, longestMs)}`
  return [
    ...taken,
    ...(await free
      .where(ahead)
      .limit(limit - taken.length)
      .execute()),
  ]
}

/**
 * Reads each row on its own: an unreadable row doesn't block the others claimed with it. It is due
 * again at the time that `take` set.
 */
export function readEach<Row, Item>(
  rows: readonly Row[],
  read: (row: Row) => Item,
  unreadable: (error: unknown, row: Row) => void,
): readonly Item[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (error) {
      unreadable(error, row)
      return []
    }
  })
}
