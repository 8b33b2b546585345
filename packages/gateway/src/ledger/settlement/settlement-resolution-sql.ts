// Differences that a person has looked at. A file never changes a payment: people do, elsewhere.
import type { Connection, Database } from '@cofre/sql'
import { type LineResolution, UNSETTLED } from '../../model/settlement/settlement.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { addUp } from './settlement-comparison-sql.js'
import { lockFile, settlementsLock } from './settlement-file-store-sql.js'
import { LINE_COLUMNS } from './settlement-line-row.js'

export function createSqlSettlementResolutions(database: Database<GatewayTables>) {
  return {
    /** Notes what was found of a difference; false where the store has none in that line. */
    resolve: (storeId: string, resolution: LineResolution): Promise<boolean> =>
      database.transact((trx) => resolve(trx, storeId, resolution)),
  }
}

async function resolve(
  trx: Connection<GatewayTables>,
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
