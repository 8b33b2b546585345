import { type Connection, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { VaultTables } from '../vault-tables.js'
import type { AuditAction, AuditActor, AuditEntry, ChainedEntry } from './audit-entry.js'
import type { AuditStore } from './audit-store.js'

type Row = VaultTables['audit_log']

const insertRow = prepare((db: Connection<VaultTables>, row: Row) =>
  db.insertInto('audit_log').values(row),
)

export function createAuditStore(trx: Connection<VaultTables>): AuditStore {
  const head = trx.selectFrom('audit_head').select(['position', 'mac'])
  const entries = trx.selectFrom('audit_log').selectAll()
  return {
    head: () => head.executeTakeFirst(),

    lockHead: () => head.forUpdate().executeTakeFirst(),

    async moveHead({ position, mac }) {
      await trx.updateTable('audit_head').set({ position, mac }).execute()
    },

    async append(entry) {
      await trx.run(insertRow(auditRowOf(entry)))
    },

    async unchained(limit) {
      const rows = await entries.where('position', 'is', null).orderBy('id').limit(limit).execute()
      return rows.map(entryOf)
    },

    async chain(chained) {
      const links = chained.map(({ id, position, mac }) => sql`(${id}, ${position}, ${mac})`)
      // One statement for all: both engines call the columns of values so.
      await sql`update audit_log set position = cast(links.column2 as bigint), mac = links.column3
        from (values ${sql.join(links)}) as links where audit_log.id = links.column1`.execute(trx)
    },

    async chained(after, limit) {
      const rows = await entries
        .where('position', 'is not', null)
        .$if(after !== undefined, (rows) =>
          rows.where((row) =>
            row(
              row.refTuple('position', 'id'),
              '>',
              row.tuple(after?.position ?? 0, after?.id ?? ''),
            ),
          ),
        )
        .orderBy('position')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(chainedEntryOf)
    },

    async latest({ limit, action, record, sinceMs }) {
      const rows = await entries
        .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? ''))
        .$if(record !== undefined, (rows) => rows.where('record', '=', record ?? ''))
        .$if(sinceMs !== undefined, (rows) => rows.where('at_ms', '>=', sinceMs ?? 0))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(entryOf)
    },
  }
}

export function auditRowOf(entry: AuditEntry): Row {
  return {
    id: entry.id,
    at_ms: entry.atMs,
    actor: entry.actor,
    action: entry.action,
    environment: entry.environment ?? null,
    merchant_id: entry.merchantId ?? null,
    record: entry.record,
    outcome: entry.outcome,
    position: null,
    mac: null,
  }
}

function entryOf(row: Row): AuditEntry {
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

function chainedEntryOf(row: Row): ChainedEntry {
  return { ...entryOf(row), position: row.position ?? 0, mac: row.mac ?? '' }
}
