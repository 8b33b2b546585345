import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import { ARCHIVED, type ArchivedTable, archiveName, archived } from '../database/archive.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { lockTransaction } from '../database/transition.js'
import { followersOf } from '../transaction/follows-payments.js'

type Db = Connection<GatewayTables>
type Codes = readonly number[]

const TABLES = Object.keys(ARCHIVED) as ArchivedTable[]
/** `payment_terms` has no index of codes: the room that follows payments moves its rows. */
const BY_CODE = TABLES.filter((table) => table !== 'payment_terms')

/** Moves transactions into the archive. The caller has locked them and the followers' rows. */
export async function moveIntoArchive(trx: Db, codes: Codes): Promise<void> {
  for (const { move } of followersOf(trx)) await move(trx, archived(trx), codes)
  for (const table of BY_CODE) await copy(trx, codes, [table, table, archiveName(table)])
  for (const table of BY_CODE.toReversed()) await remove(trx, codes, [table, table])
}

/**
 * Moves transactions out of the archive before they change. Those that another unit of work was
 * moving are outside afterwards, too.
 */
export async function returnFromArchive(trx: Db, codes: Codes): Promise<void> {
  if (codes.length === 0) return
  const rows = await archived(trx)
    .selectFrom('transactions')
    .select('code')
    .where('code', 'in', codes)
    .orderBy('code')
    .forUpdate()
    .execute()
  if (rows.length === 0) return
  const found = rows.map(({ code }) => code)
  for (const { move } of followersOf(trx)) await move(archived(trx), trx, found)
  for (const table of BY_CODE) await copy(trx, found, [table, archiveName(table), table])
  for (const table of BY_CODE) await remove(trx, found, [table, archiveName(table)])
}

/** Finds and locks a transaction; moves it out of the archive if necessary. */
export async function findToChange<Found>(
  trx: Db,
  code: number,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const found = await find()
  if (found !== undefined) return found
  await returnFromArchive(trx, [code])
  return await find()
}

/**
 * Locks a transaction that something is to change beside; moves it out of the archive if necessary.
 */
export async function lockToChange(trx: Db, code: number): Promise<void> {
  const { rows } = await trx.run(lockTransaction({ code }))
  if (rows.length === 0) await returnFromArchive(trx, [code])
}

/** Copies all columns, also those that a newer release adds while this process runs. */
async function copy(
  trx: Db,
  codes: Codes,
  [table, from, to]: readonly [ArchivedTable, string, string],
): Promise<void> {
  await sql`insert into ${sql.table(to)} select * from ${sql.table(from)}
    where ${sql.ref(ARCHIVED[table])} in (${sql.join(codes)})`.execute(trx)
}

async function remove(
  trx: Db,
  codes: Codes,
  [table, from]: readonly [ArchivedTable, string],
): Promise<void> {
  await sql`delete from ${sql.table(from)}
    where ${sql.ref(ARCHIVED[table])} in (${sql.join(codes)})`.execute(trx)
}
