import { type Statement, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { VaultConnection } from '../database/vault-database.js'
import type {
  AuditAction,
  AuditActor,
  AuditEntry,
  AuditRow,
  ChainLink,
  ChainedRow,
} from './audit-entry.js'

export const insertEntry: (row: AuditRow) => Statement = prepare(
  (db: VaultConnection, row: AuditRow) => db.insertInto('audit_log').values(row),
)

// Entries are only ever added: no code here changes or removes one.

export async function appendEntry(db: VaultConnection, entry: AuditRow): Promise<void> {
  await db.run(insertEntry(entry))
}

/** The end of the chain; undefined if its record is gone. */
export async function findHead(db: VaultConnection): Promise<ChainLink | undefined> {
  return await headOf(db).executeTakeFirst()
}

/** The end of the chain, locked until this transaction ends. */
export async function lockHead(db: VaultConnection): Promise<ChainLink | undefined> {
  return await headOf(db).forUpdate().executeTakeFirst()
}

function headOf(db: VaultConnection) {
  return db.selectFrom('audit_head').select(['position', 'mac'])
}

export async function moveHead(db: VaultConnection, { position, mac }: ChainLink): Promise<void> {
  await db.updateTable('audit_head').set({ position, mac }).execute()
}

/** Entries without a place in the chain, oldest first. */
export async function unchainedEntries(
  db: VaultConnection,
  limit: number,
): Promise<readonly AuditRow[]> {
  return await db
    .selectFrom('audit_log')
    .selectAll()
    .where('position', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Stores the places of entries in the chain. */
export async function chainEntries(
  db: VaultConnection,
  chained: readonly ChainedRow[],
): Promise<void> {
  const links = chained.map(({ id, position, mac }) => sql`(${id}, ${position}, ${mac})`)
  // One statement for all. Both engines name the columns of values like this.
  await sql`update audit_log set position = cast(links.column2 as bigint), mac = links.column3
    from (values ${sql.join(links)}) as links where audit_log.id = links.column1`.execute(db)
}

/**
 * Every entry with a place, in order, whatever the place is: two may claim the same.
 * @param after - The entry before the first one; undefined for the start of the chain.
 */
export async function chainedEntries(
  db: VaultConnection,
  after: Pick<ChainedRow, 'position' | 'id'> | undefined,
  limit: number,
): Promise<readonly ChainedRow[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('position', 'is not', null)
    .$if(after !== undefined, (rows) =>
      rows.where((row) =>
        row(row.refTuple('position', 'id'), '>', row.tuple(after?.position ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, position: row.position ?? 0, mac: row.mac ?? '' }))
}

export interface AuditFilter {
  readonly limit: number
  readonly action?: string | undefined
  readonly record?: string | undefined
  readonly sinceMs?: number | undefined
}

/** The latest entries, chained or not, newest first. */
export async function latestEntries(
  db: VaultConnection,
  { limit, action, record, sinceMs }: AuditFilter,
): Promise<readonly AuditEntry[]> {
  const rows = await db
    .selectFrom('audit_log')
    .selectAll()
    .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? ''))
    .$if(record !== undefined, (rows) => rows.where('record', '=', record ?? ''))
    .$if(sinceMs !== undefined, (rows) => rows.where('at_ms', '>=', sinceMs ?? 0))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(entryOf)
}

function entryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    atMs: row.at_ms,
    actor: row.actor as AuditActor,
    action: row.action as AuditAction,
    environment: row.environment ?? undefined,
    merchantId: row.merchant_id ?? undefined,
    record: row.record,
    outcome: row.outcome,
  }
}
