import { type Connection, type Database, prepare } from '@cofre/sql'
import { type SelectQueryBuilder, sql } from 'kysely'
import {
  type GatewayTables,
  TRANSACTION_COLUMNS,
  type TransactionKeyRow,
  type TransactionRow,
} from '../database/gateway-tables.js'
import { isOver } from '../database/lease.js'
import { unsearched } from '../database/outbox.js'
import { type PurchaseBounds, boundsOf, mayBuy, payerConflict } from './payer-conflict.js'
import { countInserted, forgetPurchases, lockPayer, uncountWithdrawn } from './purchase-count.js'
import { changeStatus, settleOpenIntent } from './status-change.js'
import { lockTransaction } from '../database/transaction-lock.js'
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

type Db = Connection<GatewayTables>
type Selection = SelectQueryBuilder<GatewayTables, 'transactions', unknown>

/**
 * Takes the keys of a purchase that its payer may make. One of them may be taken: an error would
 * undo the whole unit of work on PostgreSQL.
 */
const takeKeysIfPayerMayBuy = prepare((db: Db, row: TransactionRow & PurchaseBounds) =>
  db
    .insertInto('transaction_keys')
    .columns(['transaction_code', 'merchant_id', 'reference', 'public_id'])
    .expression(
      db
        .selectNoFrom((of) => [
          of.val(row.code).as('transaction_code'),
          of.val(row.merchant_id).as('merchant_id'),
          of.val(row.reference).as('reference'),
          of.val(row.public_id).as('public_id'),
        ])
        .where(mayBuy(row)),
    )
    .onConflict((conflicting) => conflicting.doNothing()),
)

/** Inserts a transaction, if the statement before has taken its keys. */
const insertIfKeysTaken = prepare((db: Db, row: TransactionRow) =>
  db
    .insertInto('transactions')
    .columns(TRANSACTION_COLUMNS)
    .expression(
      db
        .selectFrom('transaction_keys')
        .select((of) => TRANSACTION_COLUMNS.map((column) => of.val(row[column]).as(column)))
        .where('transaction_code', '=', row.code)
        // The code alone may be another's, which was drawn before.
        .where('transaction_keys.public_id', '=', row.public_id),
    ),
)

/** The caller has locked the transaction, and deletes it next, if it is open and PENDING. */
const freeKeysIfPending = prepare((db: Db, { code }: { readonly code: number }) =>
  db
    .deleteFrom('transaction_keys')
    .where('transaction_code', '=', code)
    .where((of) =>
      of.exists(
        of
          .selectFrom('transactions')
          .select('code')
          .where('code', '=', code)
          .where('open', '=', 1)
          .where('status', '=', 'PENDING'),
      ),
    ),
)

const deletePending = prepare((db: Db, { code }: { readonly code: number }) =>
  db
    .deleteFrom('transactions')
    .where('code', '=', code)
    .where('open', '=', 1)
    .where('status', '=', 'PENDING'),
)

interface OfMerchant {
  readonly merchantId: string
  readonly code: number
}

const findOfMerchant = prepare((db: Db, { merchantId, code }: OfMerchant) =>
  db
    .selectFrom('transactions')
    .select(TRANSACTION_COLUMNS)
    .where('code', '=', code)
    .where('merchant_id', '=', merchantId),
)

/** In one query: three would cost a search three times as much. */
const findSearched = prepare((db: Db, { merchantId, code }: OfMerchant) =>
  db
    .selectFrom('transactions')
    .select(TRANSACTION_COLUMNS)
    .select((of) => [
      of.exists(unsearched(db).where('transaction_code', '=', code)).as('awaits_search'),
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
      database.transact(async (trx) => {
        const row = await changeStatus(trx, code, move)
        return row && transactionOf(row)
      }),

    claimOpenIntents: (claim) => database.transact((trx) => claimOpenIntents(trx, claim)),
    claimActivations: (claim) => database.transact((trx) => claimActivations(trx, claim)),
    finishActivation: (code, learnt) =>
      database.transact((trx) => finishActivation(trx, code, learnt)),

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
      const [row] = (await reader.run(findOfMerchant({ merchantId, code }))).rows
      return row && transactionOf(row)
    },

    findSearched: (merchantId, code) => findWithSearch(reader, { merchantId, code }),

    findByCode: (code) => findOne(reader.selectFrom('transactions').where('code', '=', code)),

    findByReference: (merchantId, reference) =>
      findByKey(reader, { merchant_id: merchantId, reference }),

    findByPublicId: (publicId) => findByKey(reader, { public_id: publicId }),

    search: (merchantId, query) => search(reader, merchantId, query),
  }
}

async function findWithSearch(
  reader: Db,
  sought: OfMerchant,
): ReturnType<TransactionStore['findSearched']> {
  const [row] = (await reader.run(findSearched(sought))).rows
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
  // A repeated request is reported as such, whatever its payer has bought since.
  if (await isReferenceUsed(database.reader, row)) return 'reference_used'
  return (await payerConflict(database.reader, bounds)) ?? 'code_taken'
}

async function isInserted(
  database: Database<GatewayTables>,
  intent: Transaction,
  row: TransactionRow & PurchaseBounds,
): Promise<boolean> {
  // Purchases are counted only where they are limited together.
  const isCounted = row.bought_max !== null
  const { inserted } = await database.commit({
    ...(isCounted && { payer: lockPayer(intent) }),
    taken: takeKeysIfPayerMayBuy(row),
    inserted: insertIfKeysTaken(row),
    ...(isCounted && { counted: countInserted(row) }),
  })
  return inserted.written === 1
}

async function isReferenceUsed(trx: Db, row: TransactionRow): Promise<boolean> {
  const used = await trx
    .selectFrom('transaction_keys')
    .select('transaction_code')
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
  const { deleted } = await database.commit({
    payer: lockPayer(intent),
    locked: lockTransaction({ code }),
    uncounted: uncountWithdrawn(intent),
    freed: freeKeysIfPending({ code }),
    deleted: deletePending({ code }),
  })
  return deleted.written === 1
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

async function claimOpenIntents(trx: Db, claim: TransactionClaim): Promise<Transaction[]> {
  // Spelt out, as the partial index has it.
  const open = trx.selectFrom('transactions').where('open', '=', sql.lit(1))
  const codes = await lockDue(open, 'next_ask_at', claim)
  return await lease(trx, codes, { next_ask_at: claim.machineNowMs + claim.leaseMs })
}

async function claimActivations(trx: Db, claim: TransactionClaim): Promise<Transaction[]> {
  // Spelt out, as the partial index has it.
  const waiting = trx.selectFrom('transactions').where('activate_at', 'is not', null)
  const codes = await lockDue(waiting, 'activate_at', claim)
  return await lease(trx, codes, { activate_at: claim.machineNowMs + claim.leaseMs })
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
  trx: Db,
  codes: readonly number[],
  until: Partial<Pick<TransactionRow, 'next_ask_at' | 'activate_at'>>,
): Promise<Transaction[]> {
  if (codes.length === 0) return []
  const rows = await trx
    .updateTable('transactions')
    .set(until)
    .where('code', 'in', codes)
    .returningAll()
    .execute()
  return rows.map(transactionOf)
}

async function finishActivation(
  trx: Db,
  code: TransactionCode,
  learnt: LearntCard = {},
): Promise<void> {
  const { subType = null, savedCard, cardBin = null, cardLastFour = null } = learnt
  await trx
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

/** By what stays unique for ever: see {@link TransactionKeyRow}. */
async function findByKey(
  reader: Db,
  key: Partial<TransactionKeyRow>,
): Promise<Transaction | undefined> {
  return await findOne(
    reader.selectFrom('transactions').where('code', '=', (keys) =>
      keys
        .selectFrom('transaction_keys')
        .select('transaction_code')
        .where((of) => of.and(key)),
    ),
  )
}

const DATE_COLUMNS = {
  order: 'created_at',
  payment: 'paid_at',
  'last-status-change': 'status_changed_at',
} as const satisfies Record<SearchDate, keyof TransactionRow>

async function search(
  reader: Db,
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
  reader: Db,
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
