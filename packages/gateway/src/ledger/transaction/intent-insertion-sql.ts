import { type Connection, type Database, type Statement, prepare, valuesOf } from '@cofre/sql'
import type { NewBankCharge } from '../../model/payment-rail/bank-charge.js'
import type { DeclineLimits } from '../../model/purchase/decline-limits.js'
import type { PurchaseLimits } from '../../model/purchase/purchase-rules.js'
import type { RequestNonce } from '../../model/merchant/request-nonce.js'
import type {
  InsertedIntent,
  IntentConflict,
  Transaction,
} from '../../model/transaction/transaction.js'
import {
  type GatewayTables,
  type TransactionRow,
  storedTransaction,
} from '../database/gateway-tables.js'
import {
  type NonceUse,
  isKept,
  keepNonce,
  nonceUseOf,
  useOfNonce,
} from '../merchant/request-nonce-sql.js'
import {
  type TryOfIntent,
  askableTry,
  isAskable,
  lockTry,
  noteInTry,
} from '../payment-link/link-intent-sql.js'
import { chargeIfInserted } from '../bank-charge/charge-intent-sql.js'
import {
  type DeclineBounds,
  type TestedBins,
  declineBoundsOf,
  mayTry,
  reachedLimit,
} from './decline-limit.js'
import {
  type PurchaseBounds,
  boundsOf,
  countInserted,
  lockPayer,
  mayBuy,
  payerConflict,
} from './purchase-limit.js'

type Db = Connection<GatewayTables>

type IntentRow = TransactionRow & PurchaseBounds & DeclineBounds

/**
 * Takes the keys of a purchase that its payer may make. One of them may be taken: an error would
 * undo the whole unit of work on PostgreSQL.
 */
const takeKeysIfPayerMayBuy = prepare((db: Db, row: IntentRow) =>
  insertKeys(db, keysIfPayerMayBuy(db, row)),
)

/** The same, if the statement before has kept the nonce of this request. */
const takeKeysIfNonceIsKept = prepare((db: Db, row: IntentRow & NonceUse) =>
  insertKeys(
    db,
    keysIfPayerMayBuy(db, row).where((of) => of.exists(useOfNonce(db, row))),
  ),
)

/** The same, if the try that it is of may still be asked for. */
const takeKeysIfTryIsAskable = prepare((db: Db, row: IntentRow & TryOfIntent) =>
  insertKeys(
    db,
    keysIfPayerMayBuy(db, row).where((of) => of.exists(askableTry(db, row))),
  ),
)

function keysIfPayerMayBuy(db: Db, row: IntentRow) {
  return db
    .selectNoFrom((of) => [
      of.val(row.code).as('transaction_code'),
      of.val(row.merchant_id).as('merchant_id'),
      of.val(row.reference).as('reference'),
      of.val(row.public_id).as('public_id'),
    ])
    .where(mayBuy(row))
    .where(mayTry(row))
}

function insertKeys(db: Db, keys: ReturnType<typeof keysIfPayerMayBuy>) {
  return db
    .insertInto('transaction_keys')
    .columns(['transaction_code', 'merchant_id', 'reference', 'public_id'])
    .expression(keys)
    .onConflict((conflicting) => conflicting.doNothing())
}

/** Inserts a transaction, if the statement before has taken its keys. */
const insertIfKeysTaken = prepare((db: Db, row: TransactionRow) =>
  db
    .insertInto('transactions')
    .columns(storedTransaction.columns)
    .expression(
      db
        .selectFrom('transaction_keys')
        .select(valuesOf(row, storedTransaction.columns))
        .where('transaction_code', '=', row.code)
        // The code alone may be another's, which was drawn before.
        .where('transaction_keys.public_id', '=', row.public_id),
    ),
)

/** What else an intent may come with. */
export interface NewIntentParts {
  /** What is written with it of a charge at an account's bank. */
  readonly charge?: NewBankCharge | undefined
  /** For cards. */
  readonly declines?: DeclineLimits | undefined
  /** Of the request, unless it is kept already. */
  readonly nonce?: RequestNonce | undefined
  /** The payer's try at a payment link, in which it is noted. Such an intent has no nonce. */
  readonly linkTryId?: string | undefined
}

/** What intents are inserted with. */
export interface IntentDeps {
  readonly database: Database<GatewayTables>
  readonly testedBins: TestedBins
}

interface NewIntent extends NewIntentParts {
  readonly intent: Transaction
}

/**
 * Commits a transaction, unless something stands in its way. Of concurrent intents with one
 * reference exactly one is inserted.
 */
export async function insertIntent(
  { database, testedBins }: IntentDeps,
  intent: NewIntent,
  limits: PurchaseLimits,
): Promise<InsertedIntent | IntentConflict> {
  const row = {
    ...storedTransaction.rowOf(intent.intent),
    ...boundsOf(intent.intent, limits),
    ...declineBoundsOf(intent.intent, intent.declines),
  }
  const [isInserted, refusedBins] = await Promise.all([
    insertIfAllowed(database, intent, row),
    testedBins(intent.intent, intent.declines?.bin),
  ])
  if (isInserted) return { refusedBins }
  const { nonce, linkTryId } = intent
  if (linkTryId !== undefined && !(await isAskable(database.reader, { try_id: linkTryId })))
    return 'link_try_ended'
  if (nonce !== undefined && !(await isKept(database.reader, nonce))) return 'nonce_used'
  // A repeated request is reported as such, whatever its payer has bought since.
  if (await isReferenceUsed(database.reader, row)) return 'reference_used'
  const conflict = await payerConflict(database.reader, row)
  if (conflict !== undefined) return conflict
  const reached = await reachedLimit(database.reader, row)
  return reached === undefined ? 'code_taken' : `declined_${reached}`
}

/** False when something stands in its way. */
async function insertIfAllowed(
  database: Database<GatewayTables>,
  { intent, charge, nonce, linkTryId }: NewIntent,
  row: IntentRow,
): Promise<boolean> {
  // Purchases are counted only where they are limited together.
  const isCounted = row.bought_max !== null
  const { inserted } = await database.commit({
    ...(isCounted && { payer: lockPayer(intent) }),
    ...(nonce !== undefined && { nonce: keepNonce(nonce) }),
    ...(linkTryId !== undefined && { linkTry: lockTry({ try_id: linkTryId }) }),
    taken: takeKeys(row, { nonce, linkTryId }),
    inserted: insertIfKeysTaken(row),
    ...(linkTryId !== undefined && { noted: noteInTry(intent, linkTryId) }),
    ...(isCounted && { counted: countInserted(intent) }),
    ...(charge !== undefined && chargeIfInserted(intent, charge)),
  })
  return inserted.written === 1
}

function takeKeys(
  row: IntentRow,
  { nonce, linkTryId }: Pick<NewIntentParts, 'nonce' | 'linkTryId'>,
): Statement {
  if (linkTryId !== undefined) return takeKeysIfTryIsAskable({ ...row, try_id: linkTryId })
  if (nonce !== undefined) return takeKeysIfNonceIsKept({ ...row, ...nonceUseOf(nonce) })
  return takeKeysIfPayerMayBuy(row)
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
