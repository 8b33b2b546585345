import { DAY_MS } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import { sql } from 'kysely'
import type { Page } from '../../model/transaction/numbered-page.js'
import type { SearchDate, SearchQuery } from '../../model/transaction/search-query.js'
import { type Transaction, firstCodeAt } from '../../model/transaction/transaction.js'
import { archived } from '../database/archive.js'
import { mayBeWithdrawn } from '../database/transition.js'
import {
  type GatewayTables,
  type TransactionRow,
  storedTransaction,
} from '../database/gateway-tables.js'

type Db = Connection<GatewayTables>

const DATE_COLUMNS = {
  order: 'created_at',
  payment: 'paid_at',
  'last-status-change': 'status_changed_at',
} as const satisfies Record<SearchDate, keyof TransactionRow>

/**
 * The greatest difference between the time in a code and the order's. The product takes both from
 * one reading of its clock; a day allows for rows that other programs wrote.
 */
const CODES_DIFFER_MS = DAY_MS

/**
 * The store's transactions that match a search, oldest first by the searched date. Each statement
 * sees a transaction in one place, even while it is archived.
 */
export async function searchTransactions(
  reader: Db,
  merchantId: string,
  query: SearchQuery,
): Promise<Page<Transaction>> {
  const { page, pageSize, ranges, reachesArchive } = query
  const outside = matching(reader, merchantId, query).where(
    'code',
    'not in',
    // Looked up once: a condition on its row would read each counted row.
    reader.selectFrom('transactions').select('code').where(mayBeWithdrawn()),
  )
  const inside = nearOrderDates(matching(archived(reader), merchantId, query), ranges)
  const counts = (reachesArchive ? [outside, inside] : [outside]).map((some) =>
    some.select((select) => select.fn.countAll<number>().as('found')),
  )
  const { found } = await reader
    .selectNoFrom(sql<number>`${sql.join(counts, sql` + `)}`.as('found'))
    .executeTakeFirstOrThrow()
  const rows = outside.select(storedTransaction.columns)
  const all = reachesArchive ? rows.unionAll(inside.select(storedTransaction.columns)) : rows
  const listed = await all
    .orderBy(DATE_COLUMNS[ranges[0]?.date ?? 'order'])
    .orderBy('code')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return { items: listed.map(storedTransaction.read), found }
}

function matching(db: Db, merchantId: string, { reference, ranges, status }: SearchQuery) {
  const all = db.selectFrom('transactions').where('merchant_id', '=', merchantId)
  // By the keys' own index: `transactions` has no index of references.
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
  return status === undefined ? dated : dated.where('status', '=', status)
}

/**
 * Also bounds the codes of orders that are searched by their date, so that PostgreSQL reads only
 * those years' partitions. Other dates cannot be bounded: a payment may follow years later, and its
 * time may come from a bank.
 */
function nearOrderDates(all: ReturnType<typeof matching>, ranges: SearchQuery['ranges']) {
  return ranges
    .filter(({ date }) => date === 'order')
    .reduce(
      (chosen, { afterMs, beforeMs }) =>
        chosen
          .where('code', '>', firstCodeAt(afterMs - CODES_DIFFER_MS))
          .where('code', '<', firstCodeAt(beforeMs + CODES_DIFFER_MS)),
      all,
    )
}
