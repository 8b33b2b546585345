import { MINUTE_MS, type PaymentType } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import { hasCome } from '@cofre/work'
import { sql } from 'kysely'
import type { IntentPart, IntentRemoval } from '../../method/intent-part.js'
import type { PurchaseLimits } from '../../model/purchase/purchase-rules.js'
import type { SearchQuery } from '../../model/transaction/search-query.js'
import {
  type LearntCard,
  type MethodAnswer,
  type StatusMove,
  type Transaction,
  type TransactionCode,
  mayBeWithdrawn as isWithdrawable,
} from '../../model/transaction/transaction.js'
import {
  type GatewayTables,
  type TransactionKeyRow,
  storedTransaction,
} from '../database/gateway-tables.js'
import { findAnywhere } from '../database/archive.js'
import { numbered } from '../database/numbered-statements.js'
import { unsearched } from '../database/outbox.js'
import { isShown, lockTransaction, mayBeWithdrawn } from '../database/transition.js'
import { forgetPurchases, lockPayer, purchasePart, uncountWithdrawn } from './purchase-limit.js'
import { createDeclineParts, forgetDeclines } from './decline-limit.js'
import { insertIntent } from './intent-insertion-sql.js'
import { noteCard } from './learnt-card-sql.js'
import { recordSearch } from './searched-notification-sql.js'
import { changeStatus, settleOpenIntent } from './status-change.js'
import { type TransactionClaim, askLater, claimDue, isOpenOf } from './transaction-claim-sql.js'
import { deleteTransactions } from './transaction-deletion-sql.js'
import { searchTransactions } from './transaction-search-sql.js'

type Db = Connection<GatewayTables>

/** The pause before transactions that could not be ended are tried again. */
const EXPIRY_PAUSE_MS = MINUTE_MS

/** The caller has locked the transaction, and deletes it next if it may be withdrawn. */
const freeKeys = prepare((db: Db, { code }: { readonly code: number }) =>
  db
    .deleteFrom('transaction_keys')
    .where('transaction_code', '=', code)
    .where((of) =>
      of.exists(
        of
          .selectFrom('transactions')
          .select('code')
          .where('code', '=', code)
          .where(mayBeWithdrawn()),
      ),
    ),
)

const deleteIntent = prepare((db: Db, { code }: { readonly code: number }) =>
  db.deleteFrom('transactions').where('code', '=', code).where(mayBeWithdrawn()),
)

interface OfMerchant {
  readonly merchantId: string
  readonly code: number
}

const findOfMerchant = prepare((db: Db, { merchantId, code }: OfMerchant) =>
  db
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .where('code', '=', code)
    .where('merchant_id', '=', merchantId)
    .where(isShown()),
)

/** One query: three would cost a search three times as much. */
const findSearched = prepare((db: Db, { merchantId, code }: OfMerchant) =>
  db
    .selectFrom('transactions')
    .select(storedTransaction.columns)
    .select((of) => [
      of.exists(unsearched(db).where('transaction_code', '=', code)).as('awaits_search'),
      of
        .exists(of.selectFrom('refunds').select('id').where('transaction_code', '=', code))
        .as('has_refunds'),
    ])
    .where('code', '=', code)
    .where('merchant_id', '=', merchantId)
    .where(isShown()),
)

export type TransactionStore = ReturnType<typeof createSqlTransactionStore>

/** @param removals - Of all parts that intents may have had: run for withdrawn intents. */
export function createSqlTransactionStore(
  database: Database<GatewayTables>,
  removals: readonly IntentRemoval[],
) {
  return {
    ...changesOf(database, removals),
    ...waitingOf(database),
    ...expiringIn(database),
    ...foundIn(database),
    /**
     * Records that the store has seen the payment of these transactions: their COMPLETE is finished
     * now or when it is acknowledged.
     */
    recordSearch: (codes: readonly TransactionCode[], atMs: number) =>
      recordSearch(database, codes, atMs),
  }
}

function changesOf(database: Database<GatewayTables>, removals: readonly IntentRemoval[]) {
  return {
    /**
     * Deletes a store's answered transactions with their refunds and notifications, and all its
     * idempotency keys. A worker that uses one of them at the same time leaves nothing behind.
     */
    deleteAnswered: (merchantId: string) => deleteTransactions(database, merchantId),

    /**
     * Commits a transaction with its parts before its payment method is called. It refuses a payer
     * who is blocked or has reached the limits, and what a part refuses. Exactly one of the
     * concurrent intents with a reference is inserted.
     */
    insertIntent: (
      intent: Transaction,
      limits: PurchaseLimits,
      parts: readonly IntentPart[] = [],
    ) => insertIntent(database, intent, [purchasePart(database.reader, limits), ...parts]),

    /** Refuses an intent whose payer had too many declined cards. */
    declinePart: createDeclineParts(database.reader),

    /**
     * Commits the payment method's answer to an open intent, and returns the resulting transaction.
     * If it may not go to the answer's status, it keeps its own.
     * @param intent - As stored: its store and address receive the notification.
     */
    settle: (intent: Transaction, settlement: MethodAnswer) =>
      settleOpenIntent(database, intent, settlement),

    /**
     * Removes an intent that may be withdrawn, and frees its reference. False, with nothing
     * changed, if it may not be withdrawn: then the shop may know of it.
     */
    withdrawIntent: (intent: Transaction) => withdrawIntent(database, intent, removals),

    /**
     * Commits that an order is shown from now on and never withdrawn, although its request was not
     * answered. Returns the resulting order; undefined if it is gone.
     */
    makePermanent: (code: TransactionCode) => database.transact((trx) => makePermanent(trx, code)),

    /**
     * Moves a transaction to a status it may go to. Undefined, with nothing changed, if it may not:
     * exactly one of several conflicting moves wins. From the same commit on, a card that a
     * completed transaction may have saved waits for its activation.
     */
    changeStatus: (code: TransactionCode, move: StatusMove) =>
      database.transact((trx) => changeStatus(trx, code, move)),

    /**
     * Commits that the vault has activated the card: it no longer waits. Known facts of the card
     * stay.
     */
    finishActivation: (code: TransactionCode, learnt?: LearntCard) =>
      database.transact((trx) => finishActivation(trx, code, learnt)),
  }
}

/** Transactions that wait for a worker. */
function waitingOf(database: Database<GatewayTables>) {
  return {
    /**
     * Claims open intents of some types whose request has gone unanswered too long. Each goes to
     * exactly one caller until its lease ends, even under concurrent calls.
     */
    claimOpenIntents: (claim: TransactionClaim, types: readonly PaymentType[]) =>
      claimDue(database, claim, ['next_ask_at', isOpenOf(types)]),

    /** Postpones an open intent until a time, at most an hour ahead. */
    askLater: (code: TransactionCode, atMs: number) =>
      database.transact((trx) => askLater(trx, code, atMs)),

    /**
     * Claims completed transactions whose card has waited too long for its activation. Each goes to
     * exactly one caller until its lease ends, even under concurrent calls.
     */
    claimActivations: (claim: TransactionClaim) =>
      // The condition of the partial index, so that PostgreSQL uses it.
      claimDue(database, claim, ['activate_at', (of) => of('activate_at', 'is not', null)]),

    /** Deletes purchases that are too old to count towards a limit, in batches. */
    forgetPurchases: (nowMs: number) => forgetPurchases(database, nowMs),

    /** Deletes declines that are too old to count towards a limit, in batches. */
    forgetDeclines: (nowMs: number) => forgetDeclines(database, nowMs),
  }
}

/** A transaction whose time for payment has run out. */
export type ExpiredTransaction = Pick<Transaction, 'code' | 'paymentType'> & {
  readonly expiresAtMs: number
}

/** Transactions that end unpaid. */
function expiringIn({ reader }: Database<GatewayTables>) {
  /** The last one that could not be ended, and when those up to it are tried again. */
  let passed: { readonly last: ExpiredTransaction; readonly againAtMs: number } | undefined
  let isAtEnd = false
  return {
    /**
     * Pending transactions whose time for payment has run out, longest ago first, including rows
     * that cannot be read. Those that could not be ended come again after all others.
     */
    async findExpired(
      nowMs: number,
      machineNowMs: number,
      limit: number,
    ): Promise<readonly ExpiredTransaction[]> {
      if (passed && isAtEnd && hasCome(passed.againAtMs, machineNowMs, EXPIRY_PAUSE_MS))
        passed = undefined
      const { code: lastCode = 0, expiresAtMs: fromMs = 0 } = passed?.last ?? {}
      const expired = reader
        .selectFrom('transactions')
        .select(['code', 'payment_type', 'expires_at'])
        // Literal, so that PostgreSQL uses the partial index.
        .where('status', '=', sql.lit('PENDING'))
        .where('expires_at', '<=', nowMs)
        .where('expires_at', '>=', fromMs)
        .where((of) =>
          of(
            of.refTuple('expires_at', 'code'),
            '>',
            of.tuple<number | null, number>(fromMs, lastCode),
          ),
        )
        .orderBy('expires_at')
        .orderBy('code')
        .limit(limit)
      const rows = await reader.poll(expired)
      isAtEnd = rows.length < limit
      return rows.map(({ code, payment_type, expires_at }) => ({
        code: code as TransactionCode,
        paymentType: payment_type,
        expiresAtMs: expires_at ?? 0,
      }))
    },

    /** Skips a transaction that could not be ended: this process continues behind it. */
    expireLater(last: ExpiredTransaction, machineNowMs: number): void {
      passed = { last, againAtMs: passed?.againAtMs ?? machineNowMs + EXPIRY_PAUSE_MS }
    },
  }
}

function foundIn({ reader }: Database<GatewayTables>) {
  return {
    /** Finds only a shown transaction. */
    async find(merchantId: string, code: TransactionCode): Promise<Transaction | undefined> {
      const row = await findAnywhere(
        reader,
        async (db) => (await db.run(findOfMerchant({ merchantId, code }))).rows[0],
      )
      return row && storedTransaction.read(row)
    },

    /** Finds only a shown transaction, with what else its search must do. */
    async findSearched(merchantId: string, code: TransactionCode) {
      const row = await findAnywhere(
        reader,
        async (db) => (await db.run(findSearched({ merchantId, code }))).rows[0],
      )
      if (row === undefined) return undefined
      return {
        transaction: storedTransaction.read(row),
        /** True if a notification of its payment waits until a search has returned it. */
        awaitsSearch: Boolean(row.awaits_search),
        hasRefunds: Boolean(row.has_refunds),
      }
    },

    /** A transaction of any store, including one that may be withdrawn and must not be shown. */
    findByCode: (code: TransactionCode) => findByKey(reader, { transaction_code: code }),

    /** Includes one that may be withdrawn. */
    findByReference: (merchantId: string, reference: string) =>
      findByKey(reader, { merchant_id: merchantId, reference }),

    /** Finds only a shown transaction. */
    async findByPublicId(publicId: string) {
      const found = await findByKey(reader, { public_id: publicId })
      return found === undefined || isWithdrawable(found) ? undefined : found
    },

    /** The transactions of a search, oldest first by the searched date. */
    search: (merchantId: string, query: SearchQuery) =>
      searchTransactions(reader, merchantId, query),
  }
}

async function withdrawIntent(
  database: Database<GatewayTables>,
  intent: Transaction,
  removals: readonly IntentRemoval[],
): Promise<boolean> {
  const { code } = intent
  const { deleted } = await database.commit({
    payer: lockPayer(intent),
    locked: lockTransaction({ code }),
    uncounted: uncountWithdrawn(intent),
    ...numbered(
      'removed',
      removals.flatMap((removal) => removal(intent)),
    ),
    freed: freeKeys({ code }),
    deleted: deleteIntent({ code }),
  })
  return deleted.written === 1
}

async function makePermanent(trx: Db, code: TransactionCode): Promise<Transaction | undefined> {
  const row = await trx
    .updateTable('transactions')
    .set({ stands: 1 })
    .where('code', '=', code)
    .returningAll()
    .executeTakeFirst()
  return row && storedTransaction.read(row)
}

async function finishActivation(
  trx: Db,
  code: TransactionCode,
  learnt: LearntCard | undefined,
): Promise<void> {
  if (learnt !== undefined) await noteCard(trx, code, learnt)
  await trx
    .updateTable('transactions')
    .set({ activate_at: null })
    .where('code', '=', code)
    .execute()
}

/** Finds by a permanently unique key: see {@link TransactionKeyRow}. */
async function findByKey(
  reader: Db,
  { transaction_code: known, ...key }: Partial<TransactionKeyRow>,
): Promise<Transaction | undefined> {
  const row = await findAnywhere(reader, (db) => {
    const all = db.selectFrom('transactions').selectAll()
    if (known !== undefined) return all.where('code', '=', known).executeTakeFirst()
    const code = db
      .selectFrom('transaction_keys')
      .select('transaction_code')
      .where((of) => of.and(key))
    return all.where('code', '=', code).executeTakeFirst()
  })
  return row && storedTransaction.read(row)
}
