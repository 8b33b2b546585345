import { DAY_MS } from '@cofre/contracts'
import { type Connection, prepare } from '@cofre/sql'
import { type Expression, type SqlBool, expressionBuilder, sql } from 'kysely'
import {
  NO_PURCHASE,
  type PurchaseLimits,
  boughtBeforeMax,
  periodStartMs,
} from '../../model/purchase/purchase-rules.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import type { IntentConflict } from '../../model/transaction/transaction-store.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { dayOf } from './purchase-count.js'

type Db = Connection<GatewayTables>

/** What stands in the way of a purchase, as its insertion asks. */
export interface PurchaseBounds {
  readonly payer_document: string
  /** In lower case. */
  readonly blocked_email: string
  readonly bought_after: number
  /** The day of that time, of which only a part counts; the next one, and its beginning. */
  readonly first_day: number
  readonly first_whole_day: number
  readonly first_whole_day_at: number
  /** What the document may have bought since then, in centavos; null where that is not limited. */
  readonly bought_max: number | null
}

export function boundsOf(purchase: Transaction, limits: PurchaseLimits): PurchaseBounds {
  const boughtAfterMs = periodStartMs(purchase.createdAtMs)
  const firstDay = dayOf(boughtAfterMs)
  return {
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

/** Who blocked the payer, the operator first. */
function blockOf({ payer_document, blocked_email }: PurchaseBounds) {
  return of
    .selectFrom('blocked_payers')
    .select('by_provider')
    .where('payer', 'in', [payer_document, blocked_email])
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

/** The sum of those purchases of the period's first day that the period holds, in centavos. */
function boughtOnFirstDay({ payer_document, bought_after, first_whole_day_at }: PurchaseBounds) {
  return of
    .selectFrom('transactions')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('amount'), row.lit(0)).as('bought'))
    .where('payer_document', '=', payer_document)
    .where('created_at', '>', bought_after)
    .where('created_at', '<', first_whole_day_at)
    .where('status', 'not in', NO_PURCHASE)
}

/**
 * What was bought is summed only where that decides: by days, and in detail where one part of a day
 * does.
 */
function fitsPeriod(bounds: PurchaseBounds) {
  const boughtMax = sql<number>`cast(${bounds.bought_max} as bigint)`
  return sql<SqlBool>`case when ${boughtMax} is null then true when ${boughtMax} < 0 then false
    when ${boughtSince(bounds, bounds.first_day)} <= ${boughtMax} then true
    else ${boughtSince(bounds, bounds.first_whole_day)} + ${boughtOnFirstDay(bounds)} <= ${boughtMax} end`
}

/**
 * Whether nothing stands in the way of a purchase. The payer is locked: no other purchase of the
 * payer runs at the same moment.
 */
export function mayBuy(bounds: PurchaseBounds): Expression<SqlBool> {
  return of.and([of.not(of.exists(blockOf(bounds))), fitsPeriod(bounds)])
}

const findConflict = prepare((db: Db, bounds: PurchaseBounds) =>
  db.selectNoFrom([
    sql<number | null>`${blockOf(bounds)}`.as('by_provider'),
    sql<SqlBool>`${fitsPeriod(bounds)}`.as('fits'),
  ]),
)

/** Why a payer may not make a purchase; undefined when nothing stands in the way any more. */
export async function payerConflict(
  trx: Db,
  bounds: PurchaseBounds,
): Promise<IntentConflict | undefined> {
  const [found] = (await trx.run(findConflict(bounds))).rows
  const blocked = found?.by_provider ?? undefined
  if (blocked !== undefined) return blocked === 1 ? 'payer_blocked_by_provider' : 'payer_blocked'
  return found?.fits ? undefined : 'limit_exceeded'
}
