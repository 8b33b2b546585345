import { DAY_MS } from '@cofre/contracts'
import { prepare } from '@cofre/sql'
import { type Expression, type Kysely, type SqlBool, expressionBuilder, sql } from 'kysely'
import {
  PURCHASE_PERIOD_DAYS,
  type PurchaseLimits,
  boughtBeforeMax,
} from '../purchase/purchase-rules.js'
import type { Transaction } from '../transaction/transaction.js'
import type { IntentConflict } from '../transaction/transaction-store.js'
import type { GatewayTables } from './gateway-tables.js'

type Unit = Kysely<GatewayTables>

/** What stands in the way of a purchase, as its insertion asks. */
export interface PurchaseBounds {
  readonly payer_document: string
  /** In lower case. */
  readonly blocked_email: string
  readonly bought_after: number
  /** What the document may have bought since then, in centavos; null where that is not limited. */
  readonly bought_max: number | null
}

export function boundsOf(purchase: Transaction, limits: PurchaseLimits): PurchaseBounds {
  return {
    payer_document: purchase.payerDocument,
    blocked_email: purchase.payerEmail.toLowerCase(),
    bought_after: purchase.createdAtMs - PURCHASE_PERIOD_DAYS * DAY_MS,
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

/** The sum of the document's purchases that were not cancelled and did not lapse, in centavos. */
function boughtLately({ payer_document, bought_after }: PurchaseBounds) {
  return of
    .selectFrom('transactions')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('amount'), row.lit(0)).as('bought'))
    .where('payer_document', '=', payer_document)
    .where('created_at', '>', bought_after)
    .where('status', 'not in', ['CANCELLED', 'EXPIRED', 'NOT-PAID'])
}

/** What was bought is summed only where that decides. */
function fitsPeriod(bounds: PurchaseBounds) {
  const boughtMax = sql<number>`cast(${bounds.bought_max} as bigint)`
  return sql<SqlBool>`case when ${boughtMax} is null then true when ${boughtMax} < 0 then false
    else ${boughtLately(bounds)} <= ${boughtMax} end`
}

/**
 * Whether nothing stands in the way of a purchase. Two purchases of one payer that run at the very same moment on PostgreSQL
 * do not see each other.
 */
export function mayBuy(bounds: PurchaseBounds): Expression<SqlBool> {
  return of.and([of.not(of.exists(blockOf(bounds))), fitsPeriod(bounds)])
}

const findConflict = prepare((unit: Unit, bounds: PurchaseBounds) =>
  unit.selectNoFrom([
    sql<number | null>`${blockOf(bounds)}`.as('by_provider'),
    sql<SqlBool>`${fitsPeriod(bounds)}`.as('fits'),
  ]),
)

/** Why a payer may not make a purchase; undefined when nothing stands in the way any more. */
export async function payerConflict(
  unit: Unit,
  bounds: PurchaseBounds,
): Promise<IntentConflict | undefined> {
  const found = await findConflict.first(unit, bounds)
  const blocked = found?.by_provider ?? undefined
  if (blocked !== undefined) return blocked === 1 ? 'payer_blocked_by_provider' : 'payer_blocked'
  return found?.fits ? undefined : 'limit_exceeded'
}
