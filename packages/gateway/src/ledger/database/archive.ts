import type { Connection, TableNames } from '@cofre/sql'
import type { GatewayTables } from './gateway-tables.js'

type Db = Connection<GatewayTables>

/**
 * The tables whose rows are archived with their transaction, and the column with its code. A table
 * precedes those that refer to it. Keys, names of charges, links and figures stay.
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

/** The archive's name for a table. */
export function archiveName(table: ArchivedTable): `archived_${ArchivedTable}` {
  return `archived_${table}`
}

/** Archive names of all tables, by the tables' own names. */
export const ARCHIVE_NAMES: TableNames = new Map(
  Object.keys(ARCHIVED).map((table) => [table, archiveName(table as ArchivedTable)]),
)

/** A connection that reads the archive instead of the tables of {@link ARCHIVED}. */
export function archived(db: Db): Db {
  return db.renamed(ARCHIVE_NAMES)
}

/**
 * Searches outside the archive, then in it. If the transaction leaves the archive between both
 * queries, a third one finds it.
 */
export async function findAnywhere<Found>(
  db: Db,
  find: (db: Db) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  return (await find(db)) ?? (await find(archived(db))) ?? (await find(db))
}

/** The same for the rows of one transaction, which are all in one place. */
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
 * Lists rows of several transactions, first outside the archive, then in it. A row that is archived
 * between both queries is found twice and returned once.
 * @param keyOf - A row's unique key.
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
