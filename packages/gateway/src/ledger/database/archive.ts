import type { Connection, TableNames } from '@cofre/sql'
import type { GatewayTables } from './gateway-tables.js'

type Db = Connection<GatewayTables>

/**
 * The tables whose rows go into the archive with their transaction, and the column that has its
 * code; a row before those that refer to it. Keys, names of charges, links and figures stay.
 */
export const ARCHIVED = {
  transactions: 'code',
  refunds: 'transaction_code',
  notifications: 'transaction_code',
  notification_attempts: 'transaction_code',
  bank_charges: 'transaction_code',
  bank_payments: 'transaction_code',
  card_changes: 'transaction_code',
  refund_notes: 'transaction_code',
  payment_facts: 'code',
  payment_terms: 'code',
} as const satisfies Partial<Record<keyof GatewayTables, string>>

export type ArchivedTable = keyof typeof ARCHIVED

/** What the archive calls its table. */
export function archiveName(table: ArchivedTable): `archived_${ArchivedTable}` {
  return `archived_${table}`
}

/** Of all tables, by their own names. */
export const ARCHIVE_NAMES: TableNames = new Map(
  Object.keys(ARCHIVED).map((table) => [table, archiveName(table as ArchivedTable)]),
)

/** Asks the archive what is asked of the tables of {@link ARCHIVED}. */
export function archived(db: Db): Db {
  return db.renamed(ARCHIVE_NAMES)
}

/**
 * What a search for one thing finds outside the archive, else in it. Where the transaction is taken
 * back between both looks, a third one finds it.
 */
export async function findAnywhere<Found>(
  db: Db,
  find: (db: Db) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return (await find(db)) ?? (await find(archived(db))) ?? (await find(db))
}

/** The same of all that belongs to one transaction, which is in one place. */
export async function listAnywhere<Row>(
  db: Db,
  list: (db: Db) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const find = async (from: Db) => {
    const rows = await list(from)
    return rows.length > 0 ? rows : undefined
  }
  return (await findAnywhere(db, find)) ?? []
}

/**
 * What belongs to several transactions, wherever they are: first what is outside the archive. What
 * is archived between both looks is found by both, and counts once.
 * @param keyOf - What tells one from another.
 */
export async function listEverywhere<Row>(
  db: Db,
  list: (db: Db) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string | number,
): Promise<readonly Row[]> {
  const outside = await list(db)
  const inside = await list(archived(db))
  return [...new Map([...outside, ...inside].map((row) => [keyOf(row), row])).values()]
}
