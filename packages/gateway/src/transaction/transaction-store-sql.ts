import type { Database } from '@cofre/sql'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { GatewayTables, TransactionRow } from '../database/gateway-tables.js'
import { payerConflict } from '../database/payer-conflict.js'
import { changeStatus, notifyOfStatus } from '../database/status-change.js'
import type { PurchaseLimits } from '../purchase/purchase-rules.js'
import type { SearchDate, SearchQuery } from '../search/search-query.js'
import { PAID_STATUSES, type Transaction } from './transaction.js'
import type { TransactionCode } from './transaction-code.js'
import { jsonText, rowOf, transactionOf } from './transaction-row.js'
import type { IntentClaim, Settlement, TransactionStore } from './transaction-store.js'

type Unit = Kysely<GatewayTables>
type Selection = SelectQueryBuilder<GatewayTables, 'transactions', unknown>

export function createSqlTransactionStore(database: Database<GatewayTables>): TransactionStore {
  const { reader } = database
  return {
    insertIntent: (intent, limits) =>
      database.transact((unit) => insertIntent(unit, intent, limits)),
    settle: (code, settlement) => database.transact((unit) => settle(unit, code, settlement)),

    async withdrawIntent(code) {
      await database.transact((unit) =>
        unit.deleteFrom('transactions').where('code', '=', code).where('open', '=', 1).execute(),
      )
    },

    changeStatus: (code, to, atMs) =>
      database.transact(async (unit) => {
        const row = await changeStatus(unit, code, { to, atMs })
        return row && transactionOf(row)
      }),

    claimOpenIntents: (request) =>
      database.transact((unit) => claimOpenIntents(unit, request, database.dialect.locksRows)),

    async findExpired(nowMs, limit) {
      const rows = await reader
        .selectFrom('transactions')
        .selectAll()
        .where('status', '=', 'PENDING')
        .where('expires_at', '<=', nowMs)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      return rows.map(transactionOf)
    },

    find: (merchantId, code) =>
      findOne(
        reader
          .selectFrom('transactions')
          .where('code', '=', code)
          .where('merchant_id', '=', merchantId),
      ),

    findByCode: (code) => findOne(reader.selectFrom('transactions').where('code', '=', code)),

    findByReference: (merchantId, reference) =>
      findOne(
        reader
          .selectFrom('transactions')
          .where('merchant_id', '=', merchantId)
          .where('reference', '=', reference),
      ),

    findByPublicId: (publicId) =>
      findOne(reader.selectFrom('transactions').where('public_id', '=', publicId)),

    search: (merchantId, query) => search(reader, merchantId, query),
  }
}

async function insertIntent(
  unit: Unit,
  intent: Transaction,
  limits: PurchaseLimits,
): ReturnType<TransactionStore['insertIntent']> {
  const row = rowOf(intent)
  const conflict = await payerConflict(unit, intent, limits)
  // A request that was made before is told so, whatever its payer has bought since.
  if (conflict !== undefined)
    return (await isReferenceUsed(unit, row)) ? 'reference_used' : conflict
  // Either unique key may stand in the way; an error would abort the whole unit on PostgreSQL.
  const { numInsertedOrUpdatedRows } = await unit
    .insertInto('transactions')
    .values(row)
    .onConflict((conflicting) => conflicting.doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return 'inserted'
  return (await isReferenceUsed(unit, row)) ? 'reference_used' : 'code_taken'
}

async function isReferenceUsed(unit: Unit, row: TransactionRow): Promise<boolean> {
  const used = await unit
    .selectFrom('transactions')
    .select('code')
    .where('merchant_id', '=', row.merchant_id)
    .where('reference', '=', row.reference)
    .executeTakeFirst()
  return used !== undefined
}

async function settle(
  unit: Unit,
  code: TransactionCode,
  settlement: Settlement,
): Promise<Transaction> {
  const { status, atMs } = settlement
  const settled = await unit
    .updateTable('transactions')
    .set((set) => ({
      status,
      first_status: set.fn.coalesce('first_status', set.val(status)),
      open: Number(settlement.open),
      ...(settlement.subType !== undefined && { sub_type: settlement.subType }),
      saved_card: jsonText(settlement.savedCard),
      card_bin: settlement.cardBin ?? null,
      card_last_four: settlement.cardLastFour ?? null,
      payment_details: jsonText(settlement.paymentDetails),
      expires_at: settlement.expiresAtMs ?? null,
      status_changed_at: atMs,
      ...(PAID_STATUSES.includes(status) && { paid_at: atMs }),
    }))
    .where('code', '=', code)
    .where('open', '=', 1)
    .returningAll()
    .executeTakeFirst()
  // A waiting transaction has not changed since its creation was answered.
  if (settled !== undefined && status !== 'PENDING') await notifyOfStatus(unit, settled)
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

async function claimOpenIntents(
  unit: Unit,
  { machineNowMs, leaseMs, limit }: IntentClaim,
  locksRows: boolean,
): Promise<Transaction[]> {
  const due = await unit
    .selectFrom('transactions')
    .select('code')
    .where('open', '=', 1)
    .where('next_ask_at', '<=', machineNowMs)
    .orderBy('next_ask_at')
    .limit(limit)
    .$if(locksRows, (query) => query.forUpdate().skipLocked())
    .execute()
  if (due.length === 0) return []
  const rows = await unit
    .updateTable('transactions')
    .set({ next_ask_at: machineNowMs + leaseMs })
    .where(
      'code',
      'in',
      due.map(({ code }) => code),
    )
    .returningAll()
    .execute()
  return rows.map(transactionOf)
}

async function findOne(selection: Selection): Promise<Transaction | undefined> {
  const row = await selection.selectAll().executeTakeFirst()
  return row === undefined ? undefined : transactionOf(row)
}

const DATE_COLUMNS = {
  order: 'created_at',
  payment: 'paid_at',
  'last-status-change': 'status_changed_at',
} as const satisfies Record<SearchDate, keyof TransactionRow>

async function search(
  reader: Unit,
  merchantId: string,
  query: SearchQuery,
): ReturnType<TransactionStore['search']> {
  const matching = matchingTransactions(reader, merchantId, query)
  const { found } = await matching
    .select((select) => select.fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow()
  const [{ date }] = query.ranges
  const rows = await matching
    .selectAll()
    .orderBy(DATE_COLUMNS[date])
    .orderBy('code')
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize)
    .execute()
  return { transactions: rows.map(transactionOf), found }
}

function matchingTransactions(
  reader: Unit,
  merchantId: string,
  { ranges, status }: SearchQuery,
): Selection {
  const own: Selection = reader.selectFrom('transactions').where('merchant_id', '=', merchantId)
  const dated = ranges.reduce(
    (query, { date, afterMs, beforeMs }) =>
      query.where(DATE_COLUMNS[date], '>', afterMs).where(DATE_COLUMNS[date], '<', beforeMs),
    own,
  )
  return status === undefined ? dated : dated.where('status', '=', status)
}
