// Stores files of settlements, and their end.
import {
  type ListPage,
  type ListQuery,
  type SettlementLine,
  cursorBy,
  pageOf,
} from '@cofre/contracts'
import { type Connection, type Database, namedLock } from '@cofre/sql'
import type {
  NewSettlementFile,
  ReadFile,
  SettlementFile,
  SettlementRefusal,
} from '../model/settlement.js'
import { BANK_LIST } from '../model/settlement-formats.js'
import type { SettlementFileStore } from '../model/stores.js'
import type { RoomTables } from './settlement-tables.js'
import type { SettlementFileRow } from './settlement-tables.js'
import { nextFingerprints } from './alike-lines-sql.js'
import { rowOfLine } from './settlement-line-row.js'

type Db = Connection<RoomTables>

export function createSqlSettlementFileStore(database: Database<RoomTables>): SettlementFileStore {
  return { ...arrivals(database), ...importedFiles(database) }
}

function arrivals(database: Database<RoomTables>) {
  return {
    begin: (file: NewSettlementFile): Promise<boolean> =>
      database.transact((trx) => begin(trx, file)),

    insertLines: (file: NewSettlementFile, lines: readonly SettlementLine[]): Promise<void> =>
      database.transact((trx) => insertLines(trx, file, lines)),

    finish: (file: NewSettlementFile, read: ReadFile): Promise<'taken' | 'gone' | number> =>
      database.transact((trx) => finish(trx, file, read)),

    refuse: (file: NewSettlementFile, refusal: SettlementRefusal, bytes: number): Promise<void> =>
      database.transact(async (trx) => {
        await setFile(trx, file.id, {
          state: 'removing',
          problem: JSON.stringify(refusal),
          bytes,
          lines: 0,
          from_day: null,
          to_day: null,
        })
      }),

    abandon: (file: NewSettlementFile): Promise<void> =>
      database.transact((trx) => setFile(trx, file.id, { state: 'removing' })),
  }
}

function importedFiles(database: Database<RoomTables>) {
  const { reader } = database
  return {
    remove: (storeId: string, id: number): Promise<boolean> =>
      database.transact((trx) =>
        change(trx, { storeId, id }, { state: 'removing', content: null }),
      ),

    compareAgain: (storeId: string, id: number): Promise<boolean> =>
      database.transact((trx) =>
        change(trx, { storeId, id }, { state: 'comparing', compared_to: 0 }),
      ),

    async find(storeId: string, id: number): Promise<SettlementFile | undefined> {
      const row = await files(reader, storeId).where('id', '=', id).executeTakeFirst()
      if (row === undefined) return undefined
      const [file] = await withResults(reader, [fileOf(row)])
      return file
    },

    async list(storeId: string, { after, limit }: ListQuery): Promise<ListPage<SettlementFile>> {
      const place = CURSOR.read(after)
      const rows = await files(reader, storeId)
        .$if(place !== undefined, (of) => of.where('id', '<', place?.id ?? 0))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const { items, next } = pageOf(rows, limit, CURSOR.of)
      return { items: await withResults(reader, items.map(fileOf)), next }
    },
  }
}

const CURSOR = cursorBy({ id: 'bigint' })

export const FILE_COLUMNS = [
  'id',
  'merchant_id',
  'format',
  'account_id',
  'name',
  'content',
  'bytes',
  'state',
  'problem',
  'lines',
  'compared_to',
  'from_day',
  'to_day',
  'actor',
  'uploaded_at',
  'taken_at',
] as const satisfies readonly (keyof SettlementFileRow)[]

function files(db: Db, storeId: string) {
  return db.selectFrom('settlement_files').select(FILE_COLUMNS).where('merchant_id', '=', storeId)
}

function fileOf(row: SettlementFileRow): SettlementFile {
  return {
    id: row.id,
    format: row.format,
    accountId: row.account_id ?? undefined,
    name: row.name,
    bytes: row.bytes,
    state: row.state,
    refusal: row.problem === null ? undefined : (JSON.parse(row.problem) as SettlementRefusal),
    lines: row.lines,
    results: {},
    fromDay: row.from_day ?? undefined,
    toDay: row.to_day ?? undefined,
    actor: row.actor,
    uploadedAtMs: row.uploaded_at,
  }
}

async function withResults(
  reader: Db,
  found: readonly SettlementFile[],
): Promise<readonly SettlementFile[]> {
  if (found.length === 0) return []
  const rows = await reader
    .selectFrom('settlement_days')
    .select(({ fn }) => ['file_id', 'result', fn.sum<number | string>('lines').as('lines')])
    .where(
      'file_id',
      'in',
      found.map(({ id }) => id),
    )
    .where('lines', '>', 0)
    .groupBy(['file_id', 'result'])
    .execute()
  const byFile = Map.groupBy(rows, ({ file_id }) => file_id)
  return found.map((file) => ({
    ...file,
    results: Object.fromEntries(
      (byFile.get(file.id) ?? []).map(({ result, lines }) => [result, Number(lines)]),
    ),
  }))
}

/** The row of a new file. */
export function newFileRow(file: NewSettlementFile): SettlementFileRow {
  return {
    id: file.id,
    merchant_id: file.storeId,
    format: file.format,
    account_id: file.accountId ?? null,
    name: file.name,
    content: null,
    bytes: 0,
    state: 'reading',
    problem: null,
    lines: 0,
    compared_to: 0,
    from_day: null,
    to_day: null,
    actor: file.actor,
    uploaded_at: file.uploadedAtMs,
    taken_at: null,
  }
}

/** The file, locked until the unit of work ends. */
export async function lockFile(trx: Db, id: number): Promise<SettlementFileRow | undefined> {
  return await trx
    .selectFrom('settlement_files')
    .select(FILE_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function setFile(
  trx: Db,
  id: number,
  columns: Partial<SettlementFileRow>,
): Promise<void> {
  await trx.updateTable('settlement_files').set(columns).where('id', '=', id).execute()
}

async function begin(trx: Db, file: NewSettlementFile): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('settlement_files')
    .values(newFileRow(file))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

async function insertLines(
  trx: Db,
  file: NewSettlementFile,
  lines: readonly SettlementLine[],
): Promise<void> {
  const kept = await lockFile(trx, file.id)
  // Another process found the upload interrupted: lines that are added now would stay.
  if (kept?.state !== 'reading') throw new Error('the file of a settlement is read no more')
  const read = lines.map((line) => rowOfLine(line, file))
  const fingerprints = await nextFingerprints(
    trx,
    { fileId: file.id, storeId: file.storeId },
    read.map(({ text }) => text),
  )
  const rows = read.map(({ row }, i) => ({ ...row, fingerprint: fingerprints[i] ?? '' }))
  const days = rows.map(({ day }) => day)
  await trx.insertInto('settlement_lines').values(rows).execute()
  await setFile(trx, file.id, {
    lines: kept.lines + rows.length,
    from_day: Math.min(kept.from_day ?? Infinity, ...days),
    to_day: Math.max(kept.to_day ?? -Infinity, ...days),
  })
}

async function finish(
  trx: Db,
  { id, storeId }: NewSettlementFile,
  { sha256, bytes, atMs }: ReadFile,
): Promise<'taken' | 'gone' | number> {
  // Two uploads of the same content end one after the other.
  await trx.run(settlementsLock(storeId))
  const known = await files(trx, storeId).where('content', '=', sha256).executeTakeFirst()
  const file = await lockFile(trx, id)
  if (file?.state !== 'reading') return 'gone'
  if (known === undefined) {
    const taken_at = Math.max(atMs, (await lastImportedAt(trx, storeId)) + 1)
    await setFile(trx, id, { state: 'comparing', content: sha256, bytes, taken_at })
    return 'taken'
  }
  await setFile(trx, id, { state: 'removing' })
  return known.id
}

/** Orders the imports of files, regardless of the clocks of their processes. */
async function lastImportedAt(trx: Db, storeId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('settlement_files')
    .select(({ fn }) => fn.max<number | null>('taken_at').as('last'))
    .where('merchant_id', '=', storeId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Serializes changes of a store's lines, since lines are compared with each other. */
export function settlementsLock(storeId: string) {
  return namedLock(`settlements of ${storeId}`)
}

/** Changes a finished file. A bank's list cannot be removed. */
async function change(
  trx: Db,
  { storeId, id }: { readonly storeId: string; readonly id: number },
  columns: Partial<SettlementFileRow>,
): Promise<boolean> {
  const file = await lockFile(trx, id)
  const isOwn =
    file?.merchant_id === storeId && (file.state === 'ready' || file.state === 'refused')
  if (!isOwn || (columns.state === 'removing' && file.format === BANK_LIST)) return false
  if (file.state === 'refused' && columns.state !== 'removing') return false
  await setFile(trx, id, { ...columns, problem: null })
  // A file under removal no longer counts.
  if (columns.state === 'removing')
    await trx.deleteFrom('settlement_days').where('file_id', '=', id).execute()
  return true
}
