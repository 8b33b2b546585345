import type { Connection } from '@cofre/sql'
import type { SelectQueryBuilder } from 'kysely'
import type { Page, PageQuery } from '../../model/back-office/back-office.js'
import type { SearchDate, SearchQuery } from '../../model/transaction/search-query.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import {
  type GatewayTables,
  type TransactionRow,
  storedTransaction,
} from '../database/gateway-tables.js'

export type Selection = SelectQueryBuilder<GatewayTables, 'transactions', unknown>

const DATE_COLUMNS = {
  order: 'created_at',
  payment: 'paid_at',
  'last-status-change': 'status_changed_at',
} as const satisfies Record<SearchDate, keyof TransactionRow>

/** The store's transactions that a search finds, oldest first by the date that it searches. */
export function searchTransactions(
  reader: Connection<GatewayTables>,
  merchantId: string,
  query: SearchQuery,
): Promise<Page<Transaction>> {
  const { reference, ranges, status } = query
  const all: Selection = reader.selectFrom('transactions').where('merchant_id', '=', merchantId)
  // By the keys' own index: the transactions have none of references.
  const own =
    reference === undefined
      ? all
      : all.where('code', '=', (keys) =>
          keys
            .selectFrom('transaction_keys')
            .select('transaction_code')
            .where('merchant_id', '=', merchantId)
            .where('reference', '=', reference),
        )
  const dated = ranges.reduce(
    (chosen, { date, afterMs, beforeMs }) =>
      chosen.where(DATE_COLUMNS[date], '>', afterMs).where(DATE_COLUMNS[date], '<', beforeMs),
    own,
  )
  const matching = status === undefined ? dated : dated.where('status', '=', status)
  return pageOf(matching, query, [DATE_COLUMNS[ranges[0]?.date ?? 'order'], 'asc'])
}

/** A page of transactions, in the order of a date. */
async function pageOf(
  matching: Selection,
  { page, pageSize }: PageQuery,
  [date, direction]: readonly [keyof TransactionRow, 'asc' | 'desc'],
): Promise<Page<Transaction>> {
  const { found } = await matching
    .select((select) => select.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy(date, direction)
    .orderBy('code', direction)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: rows.map(storedTransaction.read), found }
}
