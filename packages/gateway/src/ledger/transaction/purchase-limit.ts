import { DAY_MS, type TransactionStatus } from '@cofre/contracts'
import {
  type Connection,
  type Database,
  type Statement,
  namedLock,
  prepare,
  prepareCondition,
  valuesOf,
} from '@cofre/sql'
import { forget } from '@cofre/work'
import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import type { IntentPart } from '../../method/intent-part.js'
import {
  NO_PURCHASE,
  type PurchaseLimits,
  boughtBeforeMax,
  periodStartMs,
} from '../../model/purchase/purchase-rules.js'
import type { IntentConflict, Transaction } from '../../model/transaction/transaction.js'
import type { GatewayTables, PayerPurchaseRow, TransactionRow } from '../database/gateway-tables.js'
import { mayBeWithdrawn, mayGoTo } from '../database/transition.js'

type Db = Connection<GatewayTables>

/** Purchase limits, as parameters of the intent's INSERT. */
interface PurchaseBounds {
  readonly merchant_id: string
  readonly payer_document: string
  /** In lower case. */
  readonly blocked_email: string
  readonly bought_after: number
  /** The day of that time, of which only a part counts; the next day, and its beginning. */
  readonly first_day: number
  readonly first_whole_day: number
  readonly first_whole_day_at: number
  /** The maximum of the document's purchases since then, in centavos; null if unlimited. */
  readonly bought_max: number | null
}

type BlockBounds = Pick<PurchaseBounds, 'merchant_id' | 'payer_document' | 'blocked_email'>

function boundsOf(purchase: Transaction, limits: PurchaseLimits): PurchaseBounds {
  const boughtAfterMs = periodStartMs(purchase.createdAtMs)
  const firstDay = utcDay(boughtAfterMs)
  return {
    merchant_id: purchase.merchantId,
    payer_document: purchase.payerDocument,
    blocked_email: purchase.payerEmail.toLowerCase(),
    bought_after: boughtAfterMs,
    first_day: firstDay,
    first_whole_day: firstDay + 1,
    first_whole_day_at: (firstDay + 1) * DAY_MS,
    bought_max: boughtBeforeMax(purchase.amountMinor, limits) ?? null,
  }
}

const of = expressionBuilder<GatewayTables>()

/** The payer's block: one by the operator or the store's people precedes the provider's. */
function blockOf({ merchant_id, payer_document, blocked_email }: BlockBounds) {
  const payers = [payer_document, blocked_email]
  return of
    .selectFrom('blocked_payers')
    .select('by_provider')
    .where('payer', 'in', payers)
    .unionAll(
      of
        .selectFrom('store_blocked_payers')
        .select(sql.lit(0).as('by_provider'))
        .where('merchant_id', '=', merchant_id)
        .where('payer', 'in', payers),
    )
    .orderBy('by_provider')
    .limit(1)
}

/** The sum of the document's purchases since a day, in centavos. */
function boughtSince({ payer_document }: PurchaseBounds, day: number) {
  return of
    .selectFrom('payer_purchases')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('bought'), row.lit(0)).as('bought'))
    .where('payer_document', '=', payer_document)
    .where('day', '>=', day)
}

/** The sum of the purchases on the period's first day that are in the period, in centavos. */
function boughtOnFirstDay({ payer_document, bought_after, first_whole_day_at }: PurchaseBounds) {
  return of
    .selectFrom('transactions')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('amount'), row.lit(0)).as('bought'))
    .where('payer_document', '=', payer_document)
    .where('created_at', '>', bought_after)
    .where('created_at', '<', first_whole_day_at)
    .where('status', 'not in', NO_PURCHASE)
}

/** Sums purchases only if they decide: by days, and in detail if a part of one day decides. */
function fitsPeriod(bounds: PurchaseBounds) {
  const boughtMax = sql<number>`cast(${bounds.bought_max} as bigint)`
  return sql<SqlBool>`case when ${boughtMax} is null then true when ${boughtMax} < 0 then false
    when ${boughtSince(bounds, bounds.first_day)} <= ${boughtMax} then true
    else ${boughtSince(bounds, bounds.first_whole_day)} + ${boughtOnFirstDay(bounds)} <= ${boughtMax} end`
}

/**
 * True if nothing prevents a purchase. If purchases are counted, the payer is locked: no other
 * purchase of the payer runs at the same moment.
 */
const mayBuy = prepareCondition((_: Db, bounds: PurchaseBounds) =>
  of.and([of.not(of.exists(blockOf(bounds))), fitsPeriod(bounds)]),
)

const findConflict = prepare((db: Db, bounds: PurchaseBounds) =>
  db.selectNoFrom([
    sql<number | null>`${blockOf(bounds)}`.as('by_provider'),
    sql<SqlBool>`${fitsPeriod(bounds)}`.as('fits'),
  ]),
)

/** Why a payer may not make a purchase; undefined if nothing prevents it any more. */
async function payerConflict(trx: Db, bounds: PurchaseBounds): Promise<IntentConflict | undefined> {
  const [found] = (await trx.run(findConflict(bounds))).rows
  const blocked = blockNameOf(found?.by_provider ?? undefined)
  return blocked ?? (found?.fits ? undefined : 'limit_exceeded')
}

const findBlock = prepare((db: Db, bounds: BlockBounds) =>
  db.selectNoFrom([sql<number | null>`${blockOf(bounds)}`.as('by_provider')]),
)

/** A payer's block; undefined if the payer is not blocked. */
export async function findPayerBlock(
  reader: Db,
  payer: { readonly merchantId: string; readonly document: string; readonly email: string },
): Promise<'payer_blocked' | 'payer_blocked_by_provider' | undefined> {
  const bounds = {
    merchant_id: payer.merchantId,
    payer_document: payer.document,
    blocked_email: payer.email.toLowerCase(),
  }
  const [found] = (await reader.run(findBlock(bounds))).rows
  return blockNameOf(found?.by_provider ?? undefined)
}

function blockNameOf(byProvider: number | undefined) {
  if (byProvider === undefined) return undefined
  return byProvider === 1 ? 'payer_blocked_by_provider' : 'payer_blocked'
}

/** Refuses intents whose payer is blocked or has reached the limits, and counts the others. */
export function purchasePart(reader: Db, limits: PurchaseLimits): IntentPart {
  // Purchases are counted only if their sum is limited.
  const isCounted = limits.perPeriodMinor !== undefined
  return {
    ...(isCounted && { before: (intent) => [lockPayer(intent)] }),
    guard: (intent) => mayBuy(boundsOf(intent, limits)),
    ...(isCounted && { after: (intent) => [countInserted(intent)] }),
    refusal: (intent) => payerConflict(reader, boundsOf(intent, limits)),
  }
}

// Payers' purchases, added up by day, so that a limit costs the same for any number of them.

/** Days since 1970, in UTC: it only has to be the same wherever a transaction is counted. */
export function utcDay(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS)
}

function countOf({ payerDocument, amountMinor, createdAtMs }: Transaction): PayerPurchaseRow {
  return { payer_document: payerDocument, day: utcDay(createdAtMs), bought: amountMinor }
}

const COUNTED = ['payer_document', 'day', 'bought'] as const

/** Counts a transaction if the previous statement has inserted it. */
const countIfInserted = prepare(
  (db: Db, row: PayerPurchaseRow & Pick<TransactionRow, 'code' | 'public_id'>) =>
    db
      .insertInto('payer_purchases')
      .columns(COUNTED)
      .expression(
        db
          .selectFrom('transactions')
          .select(valuesOf(row, COUNTED))
          .where('code', '=', row.code)
          // An earlier transaction may have the same code.
          .where('public_id', '=', row.public_id),
      )
      .onConflict((counted) =>
        counted.columns(['payer_document', 'day']).doUpdateSet((set) => ({
          bought: set('payer_purchases.bought', '+', set.ref('excluded.bought')),
        })),
      ),
)

function countInserted(intent: Transaction): Statement {
  return countIfInserted({ ...countOf(intent), code: intent.code, public_id: intent.publicId })
}

function subtracting(trx: Db, { payer_document, day, bought }: PayerPurchaseRow) {
  return trx
    .updateTable('payer_purchases')
    .set((set) => ({ bought: set('bought', '-', bought) }))
    .where('payer_document', '=', payer_document)
    .where('day', '=', day)
}

const subtract = prepare(subtracting)

type OpenPurchase = PayerPurchaseRow & Pick<TransactionRow, 'code'>

/** Subtracts while the transaction is open and meets the condition. */
function subtractingOpen(trx: Db, row: OpenPurchase, condition: Expression<SqlBool>) {
  return subtracting(trx, row).where((where) =>
    where.exists(
      where
        .selectFrom('transactions')
        .select('code')
        .where('code', '=', row.code)
        .where('open', '=', 1)
        .where(condition),
    ),
  )
}

/** The caller has locked the transaction, and settles it in the next statement. */
const subtractIfMayMove = prepare((db: Db, row: OpenPurchase & Pick<TransactionRow, 'status'>) =>
  subtractingOpen(db, row, mayGoTo(row.status)),
)

/** The caller has locked the transaction, and deletes it next if it may be withdrawn. */
const subtractIfWithdrawn = prepare((db: Db, row: OpenPurchase) =>
  subtractingOpen(db, row, mayBeWithdrawn()),
)

/** Uncounts a transaction whose new status is no purchase. */
export function uncountMoved(moved: Transaction): { uncounted?: Statement } {
  return NO_PURCHASE.includes(moved.status) ? { uncounted: subtract(countOf(moved)) } : {}
}

export function uncountSettled(intent: Transaction, status: TransactionStatus): Statement {
  return subtractIfMayMove({ ...countOf(intent), code: intent.code, status })
}

export function uncountWithdrawn(intent: Transaction): Statement {
  return subtractIfWithdrawn({ ...countOf(intent), code: intent.code })
}

/**
 * The first statement of units of work that read or change a payer's purchases. With it, two
 * purchases of one payer see each other.
 */
export function lockPayer({ payerDocument }: Transaction): Statement {
  return namedLock(`payer ${payerDocument}`)
}

/** Deletes purchases on days before the period that ends at the given time, in batches. */
export async function forgetPurchases(
  database: Database<GatewayTables>,
  nowMs: number,
): Promise<void> {
  await forget(database, {
    table: 'payer_purchases',
    key: ['payer_document', 'day'],
    where: (of) => of('day', '<', utcDay(periodStartMs(nowMs))),
  })
}
