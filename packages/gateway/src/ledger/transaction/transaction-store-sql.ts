import { MINUTE_MS, type PaymentType } from '@cofre/contracts'
import { type Connection, type Database, prepare } from '@cofre/sql'
import { hasCome } from '@cofre/work'
import { sql } from 'kysely'
import type { IntentPart, IntentRemoval } from '../../method/intent-part.js'
import type { PurchaseLimits } from '../../model/purchase/purchase-rules.js'
import type { SearchQuery } from '../../model/transaction/search-query.js'
import {
  type LearntCard,
  type Settlement,
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

/** After which transactions are tried again that could not be ended. */
const EXPIRY_PAUSE_MS = MINUTE_MS

/** The caller has locked the transaction, and deletes it next, if it may be withdrawn. */
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

/** In one query: three would cost a search three times as much. */
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

/** @param removals - Of all parts that intents may have come with: for those withdrawn. */
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
     * The store has seen that these transactions are paid: their COMPLETE rests, or will when it is
     * acknowledged.
     */
    recordSearch: (codes: readonly TransactionCode[], atMs: number) =>
      recordSearch(database, codes, atMs),
  }
}

/** Changes of one transaction. */
function changesOf(database: Database<GatewayTables>, removals: readonly IntentRemoval[]) {
  return {
    /**
     * Deletes a store's answered transactions with their refunds and notifications, and all its
     * idempotency keys. What a worker does with one of them at the same time leaves nothing behind.
     */
    deleteAnswered: (merchantId: string) => deleteTransactions(database, merchantId),

    /**
     * Commits a transaction with its parts before its payment method is asked, unless its payer is
     * blocked or has bought up to the limits, or a part keeps it out. Of concurrent intents with
     * one reference exactly one is inserted.
     */
    insertIntent: (
      intent: Transaction,
      limits: PurchaseLimits,
      parts: readonly IntentPart[] = [],
    ) => insertIntent(database, intent, [purchasePart(database.reader, limits), ...parts]),

    /** Keeps an intent out whose payer had too many cards declined. */
    declinePart: createDeclineParts(database.reader),

    /**
     * Commits what the payment method answered to an open intent, and returns the transaction as it
     * then is. Where it may not go to the status of the answer, it keeps its own.
     * @param intent - As it is stored: its store and address are whom the notification is for.
     */
    settle: (intent: Transaction, settlement: Settlement) =>
      settleOpenIntent(database, intent, settlement),

    /**
     * Removes an intent that may be withdrawn; its reference may be used again. False, and nothing
     * changed, when it may not: then the shop may know of it.
     */
    withdrawIntent: (intent: Transaction) => withdrawIntent(database, intent, removals),

    /**
     * Commits that an order is shown from now on, and never withdrawn, though its request was not
     * answered. Returns it as it then is; undefined when it is gone.
     */
    letStand: (code: TransactionCode) => database.transact((trx) => letStand(trx, code)),

    /**
     * Moves a transaction to a status it may go to. Undefined, and nothing changed, when it may
     * not: of concurrent moves that exclude each other exactly one wins. A card that a completed
     * transaction may have saved waits for its activation from the same commit on.
     */
    changeStatus: (code: TransactionCode, move: StatusMove) =>
      database.transact((trx) => changeStatus(trx, code, move)),

    /**
     * Commits that the vault has activated the card: it waits no more. What is known of the card
     * already stays.
     */
    finishActivation: (code: TransactionCode, learnt?: LearntCard) =>
      database.transact((trx) => finishActivation(trx, code, learnt)),
  }
}

/** What waits for a worker. */
function waitingOf(database: Database<GatewayTables>) {
  return {
    /**
     * Takes open intents of some types whose request has gone unanswered too long, each given to
     * exactly one caller until its lease ends, even when called concurrently.
     */
    claimOpenIntents: (claim: TransactionClaim, types: readonly PaymentType[]) =>
      claimDue(database, claim, ['next_ask_at', isOpenOf(types)]),

    /** An open intent is not taken before a time, at most an hour ahead. */
    askLater: (code: TransactionCode, atMs: number) =>
      database.transact((trx) => askLater(trx, code, atMs)),

    /**
     * Takes completed transactions whose card has waited too long for its activation, each given to
     * exactly one caller until its lease ends, even when called concurrently.
     */
    claimActivations: (claim: TransactionClaim) =>
      // Spelt out, as the partial index has it.
      claimDue(database, claim, ['activate_at', (of) => of('activate_at', 'is not', null)]),

    /**
     * Deletes what is kept of purchases that are too old to count towards a limit, some at a time.
     */
    forgetPurchases: (nowMs: number) => forgetPurchases(database, nowMs),

    /** Deletes declines that are too old to count towards a limit, some at a time. */
    forgetDeclines: (nowMs: number) => forgetDeclines(database, nowMs),
  }
}

/** One whose time to be paid has run out. */
export type ExpiredTransaction = Pick<Transaction, 'code' | 'paymentType'> & {
  readonly expiresAtMs: number
}

/** What ends unpaid. */
function expiringIn({ reader }: Database<GatewayTables>) {
  /** The last one that could not be ended, and when those up to it are tried again. */
  let passed: { readonly last: ExpiredTransaction; readonly againAtMs: number } | undefined
  let isAtEnd = false
  return {
    /**
     * Pending transactions whose time to be paid has run out, longest ago first; also of rows that
     * cannot be read. Those that could not be ended come again after all others.
     */
    async findExpired(
      nowMs: number,
      machineNowMs: number,
      limit: number,
    ): Promise<readonly ExpiredTransaction[]> {
      if (passed && isAtEnd && hasCome(passed.againAtMs, machineNowMs, EXPIRY_PAUSE_MS))
        passed = undefined
      const { code: lastCode = 0, expiresAtMs: fromMs = 0 } = passed?.last ?? {}
      const rows = await reader
        .selectFrom('transactions')
        .select(['code', 'payment_type', 'expires_at'])
        // Spelt out, as the partial index has it.
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
        .execute()
      isAtEnd = rows.length < limit
      return rows.map(({ code, payment_type, expires_at }) => ({
        code: code as TransactionCode,
        paymentType: payment_type,
        expiresAtMs: expires_at ?? 0,
      }))
    },

    /** One that could not be ended: this process goes on behind it. */
    expireLater(last: ExpiredTransaction, machineNowMs: number): void {
      passed = { last, againAtMs: passed?.againAtMs ?? machineNowMs + EXPIRY_PAUSE_MS }
    },
  }
}

function foundIn({ reader }: Database<GatewayTables>) {
  return {
    /** One that is shown. */
    async find(merchantId: string, code: TransactionCode): Promise<Transaction | undefined> {
      const row = await findAnywhere(
        reader,
        async (db) => (await db.run(findOfMerchant({ merchantId, code }))).rows[0],
      )
      return row && storedTransaction.read(row)
    },

    /** One that is shown, and what else a search for it has to do. */
    async findSearched(merchantId: string, code: TransactionCode) {
      const row = await findAnywhere(
        reader,
        async (db) => (await db.run(findSearched({ merchantId, code }))).rows[0],
      )
      if (row === undefined) return undefined
      return {
        transaction: storedTransaction.read(row),
        /** A notification of its payment waits until a search has shown it. */
        awaitsSearch: Boolean(row.awaits_search),
        hasRefunds: Boolean(row.has_refunds),
      }
    },

    /** Of any store; also one that may be withdrawn, and is not to be shown. */
    findByCode: (code: TransactionCode) => findByKey(reader, { transaction_code: code }),

    /** Also one that may be withdrawn. */
    findByReference: (merchantId: string, reference: string) =>
      findByKey(reader, { merchant_id: merchantId, reference }),

    /** One that is shown. */
    async findByPublicId(publicId: string) {
      const found = await findByKey(reader, { public_id: publicId })
      return found === undefined || isWithdrawable(found) ? undefined : found
    },

    /** The transactions of a search, oldest first by the date that it searches. */
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

async function letStand(trx: Db, code: TransactionCode): Promise<Transaction | undefined> {
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

/** By what stays unique for ever: see {@link TransactionKeyRow}. */
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
