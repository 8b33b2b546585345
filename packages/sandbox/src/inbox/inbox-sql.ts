import type { Clock } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type {
  InboxItemRow,
  InboxRow,
  SandboxTables,
  SandboxUnit,
} from '../database/sandbox-tables.js'
import { createStoreLog } from '../database/store-log-sql.js'

export const INBOX_ITEMS_KEPT_MAX = 200
const LOG = { table: 'inbox_items', keptMax: INBOX_ITEMS_KEPT_MAX } as const
const OK = 200

/** A notification that reached the built-in receiver. */
export interface InboxItem {
  readonly id: number
  readonly atMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The receiver's answer. */
  readonly statusCode: number
}

export type InboxStore = ReturnType<typeof createSqlInboxStore>

export function createSqlInboxStore(database: Database<SandboxTables>, machineClock: Clock) {
  const { reader } = database
  const addToLog = createStoreLog(machineClock, LOG)
  return {
    /** The store's inbox; opened at the address if it has none yet. */
    open: async (storeId: string, address: string): Promise<InboxRow> =>
      (await findRow(reader, storeId)) ??
      (await database.transact((trx) => insertInbox(trx, storeId, address))),

    findByAddress: (address: string): Promise<InboxRow | undefined> =>
      reader.selectFrom('inboxes').selectAll().where('address', '=', address).executeTakeFirst(),

    async setAnswer(storeId: string, answer: number): Promise<void> {
      await database.transact((trx) =>
        trx.updateTable('inboxes').set({ answer }).where('store_id', '=', storeId).execute(),
      )
    },

    /** Stores an item, and keeps only the last two hundred of the store. */
    add: (storeId: string, item: Omit<InboxItem, 'id'>): Promise<void> =>
      database.transact((trx) => addToLog(trx, storeId, (id) => rowOf(storeId, id, item))),

    /** Newest first. */
    async items(storeId: string): Promise<readonly InboxItem[]> {
      const rows = await reader
        .selectFrom('inbox_items')
        .selectAll()
        .where('store_id', '=', storeId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(itemOf)
    },

    /** A text that changes with the inbox. */
    async revision(storeId: string): Promise<string> {
      const newestItem = reader
        .selectFrom('inbox_items')
        .select('id')
        .where('store_id', '=', storeId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const [newest, inbox] = await Promise.all([newestItem, findRow(reader, storeId)])
      return `${newest?.id ?? 0}-${inbox?.answer ?? OK}`
    },

    async empty(storeId: string): Promise<void> {
      await database.transact((trx) =>
        trx.deleteFrom('inbox_items').where('store_id', '=', storeId).execute(),
      )
    },
  }
}

function findRow(reader: SandboxUnit, storeId: string): Promise<InboxRow | undefined> {
  return reader.selectFrom('inboxes').selectAll().where('store_id', '=', storeId).executeTakeFirst()
}

/** Concurrent callers all get the same inbox. */
async function insertInbox(trx: SandboxUnit, storeId: string, address: string): Promise<InboxRow> {
  await trx
    .insertInto('inboxes')
    .values({ store_id: storeId, address, answer: OK })
    .onConflict((conflict) => conflict.column('store_id').doNothing())
    .execute()
  return await trx
    .selectFrom('inboxes')
    .selectAll()
    .where('store_id', '=', storeId)
    .executeTakeFirstOrThrow()
}

function rowOf(storeId: string, id: number, item: Omit<InboxItem, 'id'>): InboxItemRow {
  const { atMs, headers, body, statusCode } = item
  return {
    store_id: storeId,
    id,
    at: atMs,
    headers: JSON.stringify(headers),
    body,
    status_code: statusCode,
  }
}

function itemOf(row: InboxItemRow): InboxItem {
  return {
    id: row.id,
    atMs: row.at,
    headers: JSON.parse(row.headers) as InboxItem['headers'],
    body: row.body,
    statusCode: row.status_code,
  }
}
