// The workers' rounds over files: lines are compared or removed in batches.
import { HOUR_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type SqlBool, sql } from 'kysely'
import { LINES_AT_ONCE, type SettlementRefusal } from '../model/settlement.js'
import type { SettlementFormats } from '../model/settlement-formats.js'
import type { SettlementWork } from '../model/stores.js'
import type { RoomTables } from './settlement-tables.js'
import type { SettlementFileRow, SettlementLineRow } from './settlement-tables.js'
import { compareNext } from './settlement-comparison-sql.js'
import { FILE_COLUMNS, lockFile, setFile, settlementsLock } from './settlement-file-store-sql.js'

type Db = Connection<RoomTables>

/** Longer than any upload takes: the process that read it has ended. */
const READ_WITHIN_MS = HOUR_MS

export function createSqlSettlementWork(
  database: Database<RoomTables>,
  formats: SettlementFormats,
): SettlementWork {
  let turn = 0
  return {
    round(machineNowMs) {
      turn += 1
      return round(database, { machineNowMs, turn, formats })
    },
  }
}

interface Turn {
  readonly machineNowMs: number
  readonly turn: number
  readonly formats: SettlementFormats
}

async function round(
  database: Database<RoomTables>,
  { machineNowMs, turn, formats }: Turn,
): Promise<boolean> {
  const files = await unfinished(database.reader, machineNowMs)
  const file = files[turn % files.length]
  if (file === undefined) return false
  switch (file.state) {
    case 'comparing':
      await compareNext(database, file, formats)
      return true
    case 'reading':
      await database.transact((trx) => interrupt(trx, file.id))
      return true
    case 'removing':
      await database.transact((trx) => removeNext(trx, file))
      return true
    case 'ready':
    case 'refused':
      return false
  }
}

/** The first unfinished file of each store, in the order of import. */
async function unfinished(reader: Db, machineNowMs: number): Promise<readonly SettlementFileRow[]> {
  const inTurn = reader
    .selectFrom('settlement_files')
    .select(FILE_COLUMNS)
    .select(
      sql<number>`row_number() over (partition by merchant_id order by coalesce(taken_at, 0), id)`.as(
        'turn',
      ),
    )
    // Literal, so that PostgreSQL uses the partial index.
    .where(sql<SqlBool>`state in ('reading', 'comparing', 'removing')`)
    .where((of) =>
      of.or([of('state', '<>', 'reading'), of('uploaded_at', '<', machineNowMs - READ_WITHIN_MS)]),
    )
  return await reader
    .selectFrom(inTurn.as('in_turn'))
    .select(FILE_COLUMNS)
    .where('turn', '=', 1)
    .orderBy((of) => of.fn.coalesce('taken_at', of.val(0)))
    .orderBy('id')
    .execute()
}

async function interrupt(trx: Db, id: number): Promise<void> {
  const file = await lockFile(trx, id)
  if (file?.state !== 'reading') return
  const refusal: SettlementRefusal = { problem: 'interrupted' }
  await setFile(trx, id, { state: 'removing', problem: JSON.stringify(refusal), lines: 0 })
}

async function removeNext(
  trx: Db,
  { id, merchant_id: storeId }: Pick<SettlementFileRow, 'id' | 'merchant_id'>,
): Promise<void> {
  await trx.run(settlementsLock(storeId))
  const file = await lockFile(trx, id)
  if (file?.state !== 'removing') return
  const lines = await trx
    .selectFrom('settlement_lines')
    .select(['line', 'fingerprint', 'transaction_code'])
    .where('file_id', '=', id)
    .orderBy('line')
    .limit(LINES_AT_ONCE)
    .execute()
  const last = lines.at(-1)
  if (last !== undefined) {
    await trx
      .deleteFrom('settlement_lines')
      .where('file_id', '=', id)
      .where('line', '<=', last.line)
      .execute()
    await compareAgain(trx, storeId, lines)
    return
  }
  if (file.problem !== null)
    await setFile(trx, id, { state: 'refused', from_day: null, to_day: null })
  else await trx.deleteFrom('settlement_files').where('id', '=', id).execute()
}

/** Compares again the lines that repeated the removed ones, or followed them. */
async function compareAgain(
  trx: Db,
  storeId: string,
  gone: readonly Pick<SettlementLineRow, 'fingerprint' | 'transaction_code'>[],
): Promise<void> {
  const codes = gone.flatMap(({ transaction_code }) => transaction_code ?? [])
  const repeated = await trx
    .selectFrom('settlement_lines')
    .select(({ fn }) => ['file_id', fn.min('line').as('line')])
    .where('merchant_id', '=', storeId)
    .where(
      'fingerprint',
      'in',
      gone.map(({ fingerprint }) => fingerprint),
    )
    .where('result', '=', 'repeated')
    .groupBy('file_id')
    .orderBy('file_id')
    .execute()
  const later = codes.length === 0 ? [] : await comparedByOthers(trx, storeId, codes)
  for (const { file_id, line } of [...repeated, ...later]) {
    const file = await lockFile(trx, file_id)
    if (file?.state !== 'ready' && file?.state !== 'comparing') continue
    const compared_to = Math.min(file.compared_to, line - 1)
    await setFile(trx, file_id, { state: 'comparing', compared_to })
  }
}

/**
 * More lines than files contain about these payments; a file may name one payment in all of its
 * lines.
 */
const LINES_READ_MAX = 20_000

/** Each file's first line about these payments whose result depends on other lines. */
async function comparedByOthers(
  trx: Db,
  storeId: string,
  codes: readonly number[],
): Promise<readonly Pick<SettlementLineRow, 'file_id' | 'line'>[]> {
  const lines = await trx
    .selectFrom('settlement_lines')
    .select(['file_id', 'line', 'difference'])
    .where('merchant_id', '=', storeId)
    .where('transaction_code', 'in', codes)
    .limit(LINES_READ_MAX)
    .execute()
  if (lines.length === LINES_READ_MAX) return await allFiles(trx, storeId)
  const first = new Map<number, number>()
  for (const { file_id, line, difference } of lines)
    if (difference === 'paid-twice' || difference === 'no-refund')
      first.set(file_id, Math.min(line, first.get(file_id) ?? line))
  return [...first]
    .map(([file_id, line]) => ({ file_id, line }))
    .toSorted((one, other) => one.file_id - other.file_id)
}

/** All files, each from its first line on. */
async function allFiles(trx: Db, storeId: string) {
  const files = await trx
    .selectFrom('settlement_files')
    .select('id')
    .where('merchant_id', '=', storeId)
    .orderBy('id')
    .execute()
  return files.map(({ id }) => ({ file_id: id, line: 1 }))
}
