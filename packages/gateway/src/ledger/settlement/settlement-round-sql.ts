// What workers do with files: lines are compared, or taken out, some at a time.
import { HOUR_MS } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { type SqlBool, sql } from 'kysely'
import { LINES_AT_ONCE, type SettlementRefusal } from '../../model/settlement/settlement.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { SettlementFileRow } from '../database/settlement-tables.js'
import { compareNext } from './settlement-comparison-sql.js'
import { FILE_COLUMNS, lockFile, setFile } from './settlement-file-store-sql.js'

type Db = Connection<GatewayTables>

/** No upload takes so long: the process that read it has ended. */
const READ_WITHIN_MS = HOUR_MS

export function createSqlSettlementWork(database: Database<GatewayTables>) {
  return {
    /**
     * Does a part of what is to be done, in the order in which files were taken. Returns whether
     * there may be more.
     */
    round: (machineNowMs: number): Promise<boolean> => round(database, machineNowMs),
  }
}

async function round(database: Database<GatewayTables>, machineNowMs: number): Promise<boolean> {
  const file = await unfinished(database.reader, machineNowMs)
  if (file === undefined) return false
  switch (file.state) {
    case 'comparing':
      await compareNext(database, file)
      return true
    case 'reading':
      await database.transact((trx) => interrupt(trx, file.id))
      return true
    case 'removing':
      await database.transact((trx) => removeNext(trx, file.id))
      return true
    case 'ready':
    case 'refused':
      return false
  }
}

async function unfinished(
  reader: Db,
  machineNowMs: number,
): Promise<SettlementFileRow | undefined> {
  return await reader
    .selectFrom('settlement_files')
    .select(FILE_COLUMNS)
    // Spelt out, as the partial index has it.
    .where(sql<SqlBool>`state in ('reading', 'comparing', 'removing')`)
    .where((of) =>
      of.or([of('state', '<>', 'reading'), of('uploaded_at', '<', machineNowMs - READ_WITHIN_MS)]),
    )
    .orderBy('taken_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

async function interrupt(trx: Db, id: number): Promise<void> {
  const file = await lockFile(trx, id)
  if (file?.state !== 'reading') return
  const refusal: SettlementRefusal = { problem: 'interrupted' }
  await setFile(trx, id, { state: 'removing', problem: JSON.stringify(refusal), lines: 0 })
}

async function removeNext(trx: Db, id: number): Promise<void> {
  const file = await lockFile(trx, id)
  if (file?.state !== 'removing') return
  const lines = await trx
    .selectFrom('settlement_lines')
    .select(['line', 'fingerprint'])
    .where('file_id', '=', id)
    .orderBy('line')
    .limit(LINES_AT_ONCE)
    .execute()
  const last = lines.at(-1)
  if (last !== undefined) {
    const fingerprints = lines.map(({ fingerprint }) => fingerprint)
    await trx
      .deleteFrom('settlement_lines')
      .where('file_id', '=', id)
      .where('line', '<=', last.line)
      .execute()
    await compareRepeated(trx, file.merchant_id, fingerprints)
    return
  }
  if (file.problem !== null)
    await setFile(trx, id, { state: 'refused', from_day: null, to_day: null })
  else await trx.deleteFrom('settlement_files').where('id', '=', id).execute()
}

/** What repeated lines that are gone counts now. */
async function compareRepeated(
  trx: Db,
  storeId: string,
  fingerprints: readonly string[],
): Promise<void> {
  const repeated = await trx
    .selectFrom('settlement_lines')
    .select(({ fn }) => ['file_id', fn.min('line').as('line')])
    .where('merchant_id', '=', storeId)
    .where('fingerprint', 'in', fingerprints)
    .where('result', '=', 'repeated')
    .groupBy('file_id')
    .orderBy('file_id')
    .execute()
  for (const { file_id, line } of repeated) {
    const file = await lockFile(trx, file_id)
    if (file?.state !== 'ready' && file?.state !== 'comparing') continue
    const compared_to = Math.min(file.compared_to, line - 1)
    await setFile(trx, file_id, { state: 'comparing', compared_to })
  }
}
