import { setTimeout } from 'node:timers/promises'
import { type Connection, type Database, namedLock } from '@cofre/sql'
import { sql } from 'kysely'
import { ARCHIVED_AFTER_MS } from '../../model/transaction/archive-age.js'
import { firstCodeAt, timeOfCode } from '../../model/transaction/transaction.js'
import { ARCHIVED, type ArchivedTable, archiveName } from '../database/archive.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { followersOf } from '../transaction/follows-payments.js'
import { moveIntoArchive } from './archive-move-sql.js'
import { isArchivable } from './ended-transaction-sql.js'

type Db = Connection<GatewayTables>

/** Small batches, because payments wait: on SQLite for the whole batch. */
const BATCH_SIZES = { sqlite: 25, postgres: 100 } as const

/** The minimum age of archived transactions. */
export interface ArchiveAge {
  readonly nowMs: number
  readonly olderThanMs: number
}

/** The result of a run. */
export interface Archiving {
  readonly archived: number
  /** Old enough, but still open to changes, or not read by the search yet. */
  readonly kept: number
}

/**
 * Moves ended transactions that have not changed for `olderThanMs` into the archive. It works in
 * batches; each transaction moves completely or not at all.
 * @throws RangeError if `olderThanMs` is shorter than {@link ARCHIVED_AFTER_MS}
 */
export async function archiveTransactions(
  database: Database<GatewayTables>,
  { nowMs, olderThanMs }: ArchiveAge,
): Promise<Archiving> {
  if (!(olderThanMs >= ARCHIVED_AFTER_MS))
    throw new RangeError('what can be refunded or disputed is not archived')
  const beforeMs = nowMs - olderThanMs
  const { engine } = database.dialect
  await makeYears(database, beforeMs)
  let count = 0
  for (let last = 0; ;) {
    const codes = await candidates(database.reader, { last, beforeMs, limit: BATCH_SIZES[engine] })
    const next = codes.at(-1)
    if (next === undefined) break
    const begunMs = performance.now()
    count += await database.transact((trx) => archiveBatch(trx, codes, beforeMs))
    // SQLite's other writers poll at growing intervals, so the database must be free for a while.
    if (engine === 'sqlite') await setTimeout(performance.now() - begunMs)
    last = next
  }
  return { archived: count, kept: await countBefore(database.reader, beforeMs) }
}

async function archiveBatch(trx: Db, codes: readonly number[], beforeMs: number): Promise<number> {
  // Lock transactions first, as every change does. Polls of banks lock only their charges.
  await trx
    .selectFrom('transactions')
    .select('code')
    .where('code', 'in', codes)
    .orderBy('code')
    .forUpdate()
    .execute()
  await trx
    .selectFrom('bank_charges')
    .select('transaction_code')
    .where('transaction_code', 'in', codes)
    .orderBy('transaction_code')
    .forUpdate()
    .execute()
  for (const { lock } of followersOf(trx)) await lock(trx)
  // Check again, now that the locks prevent changes.
  const rows = await trx
    .selectFrom('transactions')
    .select('code')
    .where('code', 'in', codes)
    .where(isArchivable(beforeMs))
    .execute()
  if (rows.length > 0)
    await moveIntoArchive(
      trx,
      rows.map(({ code }) => code),
    )
  return rows.length
}

interface Candidates {
  readonly last: number
  readonly beforeMs: number
  readonly limit: number
}

async function candidates(
  reader: Db,
  { last, beforeMs, limit }: Candidates,
): Promise<readonly number[]> {
  const rows = await reader
    .selectFrom('transactions')
    .select('code')
    .where('code', '>', last)
    .where('code', '<', firstCodeAt(beforeMs))
    .where(isArchivable(beforeMs))
    .orderBy('code')
    .limit(limit)
    .execute()
  return rows.map(({ code }) => code)
}

async function countBefore(reader: Db, beforeMs: number): Promise<number> {
  const { count } = await reader
    .selectFrom('transactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('code', '<', firstCodeAt(beforeMs))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * On PostgreSQL, each year of the archive is a partition of each table, which can be moved, dumped
 * and dropped alone.
 */
async function makeYears(database: Database<GatewayTables>, beforeMs: number): Promise<void> {
  if (database.dialect.engine !== 'postgres') return
  const oldest = await database.reader
    .selectFrom('transactions')
    .select('code')
    .orderBy('code')
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return
  const years: number[] = []
  const lastYear = new Date(beforeMs).getUTCFullYear()
  for (let year = new Date(timeOfCode(oldest.code)).getUTCFullYear(); year <= lastYear; year++)
    years.push(year)
  await database.transact(async (trx) => {
    // Two processes that create the same year wait for each other.
    await trx.run(namedLock('years of the archive'))
    for (const year of years)
      for (const table of Object.keys(ARCHIVED) as ArchivedTable[])
        await makeYear(trx, archiveName(table), year)
  })
}

/** Attaches a table: creating it as a partition would wait for readers of the archive. */
async function makeYear(trx: Db, table: string, year: number): Promise<void> {
  const name = `${table}_${year}`
  const { rows } = await sql<{ found: string | null }>`
    select to_regclass(${name})::text as found`.execute(trx)
  if (rows[0]?.found != null) return
  const from = sql.lit(firstCodeAt(Date.UTC(year, 0, 1)))
  const until = sql.lit(firstCodeAt(Date.UTC(year + 1, 0, 1)))
  await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(trx)
  await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)}
    for values from (${from}) to (${until})`.execute(trx)
}
