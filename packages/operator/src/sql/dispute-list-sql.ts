import { type Connection } from '@cofre/sql'
import { sql } from 'kysely'
import {
  type CardDispute,
  DISPUTE_KINDS,
  type GatewayTables,
  listEverywhere,
  storedCardChange,
} from '@cofre/gateway/room'

type Db = Connection<GatewayTables>

/** Disputed charges of one store or of all, whose money is lost or at risk, last first. */
export async function listDisputes(
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
  // Literal, so that PostgreSQL uses the partial index.
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
