import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { type CardDispute, DISPUTE_KINDS } from '../../model/card/card-change.js'
import { listEverywhere } from '../database/archive.js'
import { type GatewayTables, storedCardChange } from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

/** What acquirers have taken back of charges, or may. */
export function createSqlDisputeStore({ reader }: Database<GatewayTables>) {
  return {
    /** Of one store or of all, the last first. */
    list: (limit: number, merchantId?: string) => listDisputes(reader, limit, merchantId),
  }
}

async function listDisputes(
  reader: Db,
  limit: number,
  merchantId: string | undefined,
): Promise<readonly CardDispute[]> {
  const disputes = await listEverywhere(
    reader,
    (db) => lastDisputes(db, limit, merchantId),
    ({ transactionCode, id }) => `${transactionCode} ${id}`,
  )
  return disputes.toSorted((a, b) => b.atMs - a.atMs).slice(0, limit)
}

async function lastDisputes(
  db: Db,
  limit: number,
  merchantId: string | undefined,
): Promise<readonly CardDispute[]> {
  // Spelt out, as the partial index has it.
  const kinds = DISPUTE_KINDS.map((kind) => sql.lit(kind))
  const all = db
    .selectFrom('card_changes')
    .innerJoin('transactions', 'transactions.code', 'card_changes.transaction_code')
    .selectAll('card_changes')
    .select(['merchant_id', 'reference', 'status'])
    .where('kind', 'in', kinds)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
  const wanted = merchantId === undefined ? all : all.where('merchant_id', '=', merchantId)
  return (await wanted.execute()).map((row) => ({
    ...storedCardChange.read(row),
    merchantId: row.merchant_id,
    reference: row.reference,
    status: row.status,
  }))
}
