import type { TransactionStatus } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import {
  type GatewayTables,
  type Transaction,
  isShown,
  isUndecidedRow,
  listEverywhere,
  storedTransaction,
} from '@cofre/gateway/room'

/** An operator's query of transactions; all given conditions must hold. */
export interface TransactionsQuery {
  readonly status?: TransactionStatus | undefined
  /** Absent for every store. */
  readonly merchantId?: string | undefined
  /** The store's own, complete. */
  readonly reference?: string | undefined
  /**
   * Transactions that have kept their status since then or longer. Epoch milliseconds of the
   * environment's clock.
   */
  readonly sinceMs: number
  readonly limit: number
}

/** The transactions of all stores or of one, newest first. A rare status requires a long read. */
export async function listTransactions(
  reader: Connection<GatewayTables>,
  query: TransactionsQuery,
): Promise<readonly Transaction[]> {
  const { limit, merchantId } = query
  const found = await listEverywhere(
    reader,
    (db) => listIn(db, query),
    ({ code }) => code,
  )
  const isOfAll = merchantId === undefined
  return found
    .toSorted((one, other) => {
      const later = isOfAll ? 0 : other.createdAtMs - one.createdAtMs
      return later || other.code - one.code
    })
    .slice(0, limit)
}

async function listIn(
  db: Connection<GatewayTables>,
  { status, merchantId, reference, sinceMs, limit }: TransactionsQuery,
): Promise<readonly Transaction[]> {
  let matching = db
    .selectFrom('transactions')
    .where('status_changed_at', '<=', sinceMs)
    .where(isShown())
  if (status !== undefined) matching = matching.where('status', '=', status)
  if (merchantId !== undefined) matching = matching.where('merchant_id', '=', merchantId)
  if (reference !== undefined)
    matching = matching.where('code', 'in', (keys) =>
      keys
        .selectFrom('transaction_keys')
        .select('transaction_code')
        .where('reference', '=', reference)
        .$if(merchantId !== undefined, (of) => of.where('merchant_id', '=', merchantId ?? '')),
    )
  const inOrder =
    merchantId === undefined
      ? matching.orderBy('code', 'desc')
      : matching.orderBy('created_at', 'desc').orderBy('code', 'desc')
  return (await inOrder.selectAll().limit(limit).execute()).map(storedTransaction.read)
}

/** Orders of any store that may be withdrawn, and that no list shows. */
export async function listUndecided(
  reader: Connection<GatewayTables>,
  limit: number,
): Promise<readonly Transaction[]> {
  const rows = await reader
    .selectFrom('transactions')
    .selectAll()
    .where(isUndecidedRow())
    .orderBy('next_ask_at')
    .limit(limit)
    .execute()
  return rows.map(storedTransaction.read)
}
