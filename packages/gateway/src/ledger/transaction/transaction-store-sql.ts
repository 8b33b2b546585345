import { type Database, prepare } from '@cofre/sql'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import {
  type GatewayTables,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../database/gateway-tables.js'
import { isOver } from '../database/lease.js'
import { unsearched } from '../database/outbox.js'
import { type PurchaseBounds, boundsOf, mayBuy, payerConflict } from './payer-conflict.js'
import { countInserted, forgetPurchases, payersTurn, uncountWithdrawn } from './purchase-count.js'
import { changeStatus, settleOpenIntent } from './status-change.js'
import { lockingStep } from '../database/transaction-lock.js'
import type { PurchaseLimits } from '../../model/purchase/purchase-rules.js'
import type { SearchDate, SearchQuery } from '../../model/transaction/search-query.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { TransactionCode } from '../../model/transaction/transaction-code.js'
import { jsonText, rowOf, transactionOf } from './transaction-row.js'
import type {
  LearntCard,
  Settlement,
  TransactionClaim,
  TransactionStore,
} from '../../model/transaction/transaction-store.js'

type Unit = Kysely<GatewayTables>
type Selection = SelectQueryBuilder<GatewayTables, 'transactions', unknown>

/** Either unique key may stand in the way; an error would abort the whole unit on PostgreSQL. */
const insertAllowed = prepare((unit: Unit, row: TransactionRow & PurchaseBounds) =>
  unit
    .insertInto('transactions')
    .columns(TRANSACTION_COLUMNS)
    .expression(
      unit
        .selectNoFrom((of) => TRANSACTION_COLUMNS.map((column) => of.val(row[column]).as(column)))
        .where(mayBuy(row)),
    )
    .onConflict((conflicting) => conflicting.doNothing()),
)

const deletePending = prepare((unit: Unit, { code }: { readonly code: number }) =>
  unit
    .deleteFrom('transactions')
    .where('code', '=', code)
    .where('open', '=', 1)
    .where('status', '=', 'PENDING'),
)

interface OfMerchant {
  readonly merchantId: string
  readonly code: number
}

const findOfMerchant = prepare((reader: Unit, { merchantId, code }: OfMerchant) =>
  reader
    .selectFrom('transactions')
    .select(TRANSACTION_COLUMNS)
    .where('code', '=', code)
    .where('merchant_id', '=', merchantId),
)

/** In one query: three would cost a search three times as much. */
const findSearched = prepare((reader: Unit, { merchantId, code }: OfMerchant) =>
  reader
    .selectFrom('transactions')
    .select(TRANSACTION_COLUMNS)
    .select((of) => [
      of.exists(unsearched(reader).where('transaction_code', '=', code)).as('awaits_search'),
      of
        .exists(of.selectFrom('refunds').select('id').where('transaction_code', '=', code))
        .as('has_refunds'),
    ])
    .where('code', '=', code)
    .where('merchant_id', '=', merchantId),
)

export function createSqlTransactionStore(database: Database<GatewayTables>): TransactionStore {
  const { reader } = database
  return {
    insertIntent: (intent, limits) => insertIntent(database, intent, limits),
    settle: (intent, settlement) => settle(database, intent, settlement),

    withdrawIntent: (intent) => withdrawIntent(database, intent),

    changeStatus: (code, move) =>
      database.transact(async (unit) => {
        const row = await changeStatus(unit, code, move)
        return row && transactionOf(row)
      }),

    claimOpenIntents: (claim) => database.transact((unit) => claimOpenIntents(unit, claim)),
    claimActivations: (claim) => database.transact((unit) => claimActivations(unit, claim)),
    finishActivation: (code, learnt) =>
      database.transact((unit) => finishActivation(unit, code, learnt)),

    async findExpired(nowMs, limit) {
      const rows = await reader
        .selectFrom('transactions')
        .selectAll()
        // Spelt out, as the partial index has it.
        .where('status', '=', sql.lit('PENDING'))
        .where('expires_at', '<=', nowMs)
        .orderBy('expires_at')
        .limit(limit)
        .execute()
      return rows.map(transactionOf)
    },

    forgetPurchases: (nowMs) => forgetPurchases(database, nowMs),

    async find(merchantId, code) {
      const row = await findOfMerchant.first(reader, { merchantId, code })
      return row && transactionOf(row)
    },

    findSearched: (merchantId, code) => findWithSearch(reader, { merchantId, code }),

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

async function findWithSearch(
  reader: Unit,
  sought: OfMerchant,
): ReturnType<TransactionStore['findSearched']> {
  const row = await findSearched.first(reader, sought)
  if (row === undefined) return undefined
  return {
    transaction: transactionOf(row),
    awaitsSearch: Boolean(row.awaits_search),
    hasRefunds: Boolean(row.has_refunds),
  }
}

async function insertIntent(
  database: Database<GatewayTables>,
  intent: Transaction,
  limits: PurchaseLimits,
): ReturnType<TransactionStore['insertIntent']> {
  const row = rowOf(intent)
  const bounds = boundsOf(intent, limits)
  if (await isInserted(database, intent, { ...row, ...bounds })) return 'inserted'
  // A request that was made before is told so, whatever its payer has bought since.
  if (await isReferenceUsed(database.reader, row)) return 'reference_used'
  return (await payerConflict(database.reader, bounds)) ?? 'code_taken'
}

async function isInserted(
  database: Database<GatewayTables>,
  intent: Transaction,
  row: TransactionRow & PurchaseBounds,
): Promise<boolean> {
  const inserting = insertAllowed.step(row)
  // Purchases are counted only where they are limited together.
  if (row.bought_max === null) {
    const [{ written }] = await database.commit([inserting])
    return written === 1
  }
  const turn = payersTurn(database, intent)
  const [, { written }] = await database.commit([turn, inserting, countInserted(row)])
  return written === 1
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

async function withdrawIntent(
  database: Database<GatewayTables>,
  intent: Transaction,
): Promise<boolean> {
  const { code } = intent
  const [, , , { written }] = await database.commit([
    payersTurn(database, intent),
    lockingStep(code),
    uncountWithdrawn(intent),
    deletePending.step({ code }),
  ])
  return written === 1
}

async function settle(
  database: Database<GatewayTables>,
  intent: Transaction,
  settlement: Settlement,
): Promise<Transaction> {
  const { code } = intent
  const settled = await settleOpenIntent(database, intent, settlement)
  // Somebody else settled it first: theirs stands.
  const row =
    settled ??
    (await database.reader
      .selectFrom('transactions')
      .selectAll()
      .where('code', '=', code)
      .executeTakeFirstOrThrow())
  return transactionOf(row)
}

async function claimOpenIntents(unit: Unit, claim: TransactionClaim): Promise<Transaction[]> {
  // Spelt out, as the partial index has it.
  const open = unit.selectFrom('transactions').where('open', '=', sql.lit(1))
  const codes = await lockDue(open, 'next_ask_at', claim)
  return await lease(unit, codes, { next_ask_at: claim.machineNowMs + claim.leaseMs })
}

async function claimActivations(unit: Unit, claim: TransactionClaim): Promise<Transaction[]> {
  // Spelt out, as the partial index has it.
  const waiting = unit.selectFrom('transactions').where('activate_at', 'is not', null)
  const codes = await lockDue(waiting, 'activate_at', claim)
  return await lease(unit, codes, { activate_at: claim.machineNowMs + claim.leaseMs })
}

/** The codes of rows that are due and that nobody else holds. */
async function lockDue(
  waiting: Selection,
  dueAt: 'next_ask_at' | 'activate_at',
  { machineNowMs, leaseMs, limit }: TransactionClaim,
): Promise<number[]> {
  const due = await waiting
    .select('code')
    .where(isOver(dueAt, machineNowMs, leaseMs))
    .orderBy(dueAt)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return due.map(({ code }) => code)
}

async function lease(
  unit: Unit,
  codes: readonly number[],
  until: Partial<Pick<TransactionRow, 'next_ask_at' | 'activate_at'>>,
): Promise<Transaction[]> {
  if (codes.length === 0) return []
  const rows = await unit
    .updateTable('transactions')
    .set(until)
    .where('code', 'in', codes)
    .returningAll()
    .execute()
  return rows.map(transactionOf)
}

async function finishActivation(
  unit: Unit,
  code: TransactionCode,
  learnt: LearntCard = {},
): Promise<void> {
  const { subType = null, savedCard, cardBin = null, cardLastFour = null } = learnt
  await unit
    .updateTable('transactions')
    .set((set) => ({
      activate_at: null,
      sub_type: set.fn.coalesce('sub_type', set.val(subType)),
      saved_card: set.fn.coalesce('saved_card', set.val(jsonText(savedCard))),
      card_bin: set.fn.coalesce('card_bin', set.val(cardBin)),
      card_last_four: set.fn.coalesce('card_last_four', set.val(cardLastFour)),
    }))
    .where('code', '=', code)
    .execute()
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
