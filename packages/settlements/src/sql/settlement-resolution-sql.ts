// Resolves differences. A file never changes a payment: people do, elsewhere.
import type { Connection, Database } from '@cofre/sql'
import { type LineResolution, UNSETTLED } from '../model/settlement.js'
import type { SettlementResolutions } from '../model/stores.js'
import type { RoomTables } from './settlement-tables.js'
import { addUp } from './settlement-comparison-sql.js'
import { lockFile, settlementsLock } from './settlement-file-store-sql.js'
import { LINE_COLUMNS } from './settlement-line-row.js'

export function createSqlSettlementResolutions(
  database: Database<RoomTables>,
): SettlementResolutions {
  return {
    resolve: (storeId, resolution) => database.transact((trx) => resolve(trx, storeId, resolution)),
  }
}

async function resolve(
  trx: Connection<RoomTables>,
  storeId: string,
  { fileId, line, actor, note, atMs }: LineResolution,
): Promise<boolean> {
  await trx.run(settlementsLock(storeId))
  const file = await lockFile(trx, fileId)
  if (file?.merchant_id !== storeId || file.state !== 'ready') return false
  const row = await trx
    .selectFrom('settlement_lines')
    .select(LINE_COLUMNS)
    .where('file_id', '=', fileId)
    .where('line', '=', line)
    .where('result', 'in', UNSETTLED)
    .executeTakeFirst()
  if (row === undefined) return false
  const resolved = { result: 'resolved', resolved_at: atMs, resolved_by: actor, note } as const
  await trx
    .updateTable('settlement_lines')
    .set(resolved)
    .where('file_id', '=', fileId)
    .where('line', '=', line)
    .execute()
  await addUp(trx, [row], [{ ...row, ...resolved }])
  return true
}
