import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import {
  type BankPayment,
  type GatewayTables,
  type Transaction,
  type TransactionCode,
  listEverywhere,
  storedPayment,
} from '@cofre/gateway/room'

type Db = Connection<GatewayTables>

/** A surplus with its transaction. */
export interface SurplusPayment
  extends BankPayment, Pick<Transaction, 'code' | 'merchantId' | 'reference' | 'status'> {}

/** The surpluses of one store or of all, those found last first. */
export async function listSurpluses(
  reader: Db,
  limit: number,
  merchantId: string | undefined,
): Promise<readonly SurplusPayment[]> {
  const surpluses = await listEverywhere(
    reader,
    (db) => lastSurpluses(db, limit, merchantId),
    ({ code, endToEndId }) => `${code} ${endToEndId}`,
  )
  return surpluses.toSorted((a, b) => b.foundAtMs - a.foundAtMs).slice(0, limit)
}

async function lastSurpluses(
  db: Db,
  limit: number,
  merchantId: string | undefined,
): Promise<readonly SurplusPayment[]> {
  const all = db
    .selectFrom('bank_payments')
    .innerJoin('transactions', 'transactions.code', 'bank_payments.transaction_code')
    .selectAll('bank_payments')
    .select(['merchant_id', 'reference', 'status'])
    // Literal, so that PostgreSQL uses the partial index.
    .where('purpose', '<>', sql.lit('order'))
    .orderBy('found_at', 'desc')
    .orderBy('end_to_end_id')
    .limit(limit)
  const wanted = merchantId === undefined ? all : all.where('merchant_id', '=', merchantId)
  return (await wanted.execute()).map((row) => ({
    ...storedPayment.read(row),
    code: row.transaction_code as TransactionCode,
    merchantId: row.merchant_id,
    reference: row.reference,
    status: row.status,
  }))
}
