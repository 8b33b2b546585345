import { type Connection, type Database, prepare } from '@cofre/sql'
import { sql } from 'kysely'
import type { TransactionCode } from '../../model/transaction/transaction.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { isUnfinished, unsearched } from '../database/outbox.js'

type Db = Connection<GatewayTables>

const findUnsearched = prepare((db: Db, { code }: { readonly code: number }) =>
  unsearched(db).where('transaction_code', '=', code),
)

/** Finishes the COMPLETE of each of these transactions, now or when it is acknowledged. */
export async function recordSearch(
  database: Database<GatewayTables>,
  codes: readonly TransactionCode[],
  atMs: number,
): Promise<void> {
  const [code] = codes
  if (code === undefined) return
  // Nearly every search finds nothing to record, which needs no unit of work.
  const waiting =
    codes.length === 1
      ? (await database.reader.run(findUnsearched({ code }))).rows
      : await unsearched(database.reader).where('transaction_code', 'in', codes).execute()
  if (waiting.length === 0) return
  const waitingCodes = waiting.map((row) => row.transaction_code)
  await database.transact((trx) =>
    trx
      .updateTable('notifications')
      .set({
        searched_at: atMs,
        done_at: sql<
          number | null
        >`case when acknowledged_at is null then null else cast(${atMs} as bigint) end`,
      })
      .where('transaction_code', 'in', waitingCodes)
      .where('status', '=', 'COMPLETE')
      .where(isUnfinished)
      .execute(),
  )
}
