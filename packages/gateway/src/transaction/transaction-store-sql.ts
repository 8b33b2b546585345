import type { Database } from '@cofre/sql'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { GatewayTables, TransactionRow } from '../database/gateway-tables.js'
import type { SearchDate, SearchQuery } from '../search/search-query.js'
import type { Transaction } from './transaction.js'
import type { TransactionCode } from './transaction-code.js'
import { rowOf, savedCardText, transactionOf } from './transaction-row.js'
import { PAID_STATUSES, type Settlement, type TransactionStore } from './transaction-store.js'

type Unit = Kysely<GatewayTables>

export function createSqlTransactionStore(database: Database<GatewayTables>): TransactionStore {
  return {
    insertIntent: (intent) => database.transact((unit) => insertIntent(unit, intent)),
    settle: (code, settlement) => database.transact((unit) => settle(unit, code, settlement)),

    async withdrawIntent(code) {
      await database.transact((unit) =>
        unit.deleteFrom('transactions').where('code', '=', code).where('open', '=', 1).execute(),
      )
    },

    async find(merchantId, code) {
      const row = await database.reader
        .selectFrom('transactions')
        .selectAll()
        .where('code', '=', code)
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst()
      return row === undefined ? undefined : transactionOf(row)
    },

    async search(merchantId, query) {
      const [{ date }] = query.ranges
      const matching = matchingTransactions(database.reader, merchantId, query)
      const { found } = await matching
        .select((select) => select.fn.countAll<number>().as('found'))
        .executeTakeFirstOrThrow()
      const rows = await matching
        .selectAll()
        .orderBy(DATE_COLUMNS[date])
        .orderBy('code')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute()
      return { transactions: rows.map(transactionOf), found }
    },
  }
}

const DATE_COLUMNS = {
  order: 'created_at',
  payment: 'paid_at',
  'last-status-change': 'status_changed_at',
} as const satisfies Record<SearchDate, keyof TransactionRow>

function matchingTransactions(
  reader: Unit,
  merchantId: string,
  { ranges, status }: SearchQuery,
): SelectQueryBuilder<GatewayTables, 'transactions', unknown> {
  const own: SelectQueryBuilder<GatewayTables, 'transactions', unknown> = reader
    .selectFrom('transactions')
    .where('merchant_id', '=', merchantId)
  const dated = ranges.reduce(
    (query, { date, afterMs, beforeMs }) =>
      query.where(DATE_COLUMNS[date], '>', afterMs).where(DATE_COLUMNS[date], '<', beforeMs),
    own,
  )
  return status === undefined ? dated : dated.where('status', '=', status)
}

async function insertIntent(
  unit: Unit,
  intent: Transaction,
): ReturnType<TransactionStore['insertIntent']> {
  const row = rowOf(intent)
  // Either unique key may stand in the way; an error would abort the whole unit on PostgreSQL.
  const { numInsertedOrUpdatedRows } = await unit
    .insertInto('transactions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return 'inserted'
  const used = await unit
    .selectFrom('transactions')
    .select('code')
    .where('merchant_id', '=', row.merchant_id)
    .where('reference', '=', row.reference)
    .executeTakeFirst()
  return used === undefined ? 'code_taken' : 'reference_used'
}

async function settle(
  unit: Unit,
  code: TransactionCode,
  settlement: Settlement,
): Promise<Transaction> {
  const paid = PAID_STATUSES.includes(settlement.status)
  const settled = await unit
    .updateTable('transactions')
    .set({
      status: settlement.status,
      open: Number(settlement.open),
      sub_type: settlement.subType ?? null,
      saved_card: savedCardText(settlement.savedCard),
      card_bin: settlement.cardBin ?? null,
      card_last_four: settlement.cardLastFour ?? null,
      status_changed_at: settlement.atMs,
      ...(paid && { paid_at: settlement.atMs }),
    })
    .where('code', '=', code)
    .where('open', '=', 1)
    .returningAll()
    .executeTakeFirst()
  // Somebody else settled it first: theirs stands.
  const row =
    settled ??
    (await unit
      .selectFrom('transactions')
      .selectAll()
      .where('code', '=', code)
      .executeTakeFirstOrThrow())
  return transactionOf(row)
}
