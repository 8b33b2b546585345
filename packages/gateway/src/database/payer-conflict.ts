import { DAY_MS } from '@cofre/contracts'
import type { Kysely } from 'kysely'
import {
  PURCHASE_PERIOD_DAYS,
  type PurchaseLimits,
  fitsLimits,
} from '../purchase/purchase-rules.js'
import type { Transaction } from '../transaction/transaction.js'
import type { IntentConflict } from '../transaction/transaction-store.js'
import type { GatewayTables } from './gateway-tables.js'

/**
 * Why a payer may not make a purchase; undefined when nothing stands in the way. Two purchases of one payer that run at
 * the very same moment on PostgreSQL do not see each other.
 */
export async function payerConflict(
  unit: Kysely<GatewayTables>,
  purchase: Transaction,
  limits: PurchaseLimits,
): Promise<IntentConflict | undefined> {
  const block = await unit
    .selectFrom('blocked_payers')
    .select('by_provider')
    .where('payer', 'in', [purchase.payerDocument, purchase.payerEmail.toLowerCase()])
    .orderBy('by_provider')
    .executeTakeFirst()
  if (block !== undefined)
    return block.by_provider === 1 ? 'payer_blocked_by_provider' : 'payer_blocked'
  const bought = limits.perPeriodMinor === undefined ? 0 : await boughtLately(unit, purchase)
  return fitsLimits(purchase.amountMinor, bought, limits) ? undefined : 'limit_exceeded'
}

/** The sum of the document's purchases of the period that were not cancelled and did not lapse, in centavos. */
async function boughtLately(
  unit: Kysely<GatewayTables>,
  { payerDocument, createdAtMs }: Transaction,
): Promise<number> {
  const { sum } = await unit
    .selectFrom('transactions')
    .select((select) =>
      select.fn.coalesce(select.fn.sum<number | string>('amount'), select.lit(0)).as('sum'),
    )
    .where('payer_document', '=', payerDocument)
    .where('created_at', '>', createdAtMs - PURCHASE_PERIOD_DAYS * DAY_MS)
    .where('status', 'not in', ['CANCELLED', 'EXPIRED', 'NOT-PAID'])
    .executeTakeFirstOrThrow()
  // PostgreSQL sums bigints to a numeric, which arrives as text.
  return Number(sum)
}
