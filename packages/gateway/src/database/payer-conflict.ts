import { DAY_MS } from '@cofre/contracts'
import { prepare } from '@cofre/sql'
import type { Kysely } from 'kysely'
import {
  PURCHASE_PERIOD_DAYS,
  type PurchaseLimits,
  fitsLimits,
} from '../purchase/purchase-rules.js'
import type { Transaction } from '../transaction/transaction.js'
import type { IntentConflict } from '../transaction/transaction-store.js'
import type { GatewayTables } from './gateway-tables.js'

type Unit = Kysely<GatewayTables>

/** Who blocked the payer, the operator first. */
const findBlock = prepare(
  (unit: Unit, payer: { readonly document: string; readonly email: string }) =>
    unit
      .selectFrom('blocked_payers')
      .select('by_provider')
      .where('payer', 'in', [payer.document, payer.email])
      .orderBy('by_provider')
      .limit(1),
)

/** The sum of the document's purchases that were not cancelled and did not lapse, in centavos. */
const sumBought = prepare(
  (unit: Unit, { document, afterMs }: { readonly document: string; readonly afterMs: number }) =>
    unit
      .selectFrom('transactions')
      .select((select) =>
        select.fn.coalesce(select.fn.sum<number | string>('amount'), select.lit(0)).as('sum'),
      )
      .where('payer_document', '=', document)
      .where('created_at', '>', afterMs)
      .where('status', 'not in', ['CANCELLED', 'EXPIRED', 'NOT-PAID']),
)

/**
 * Why a payer may not make a purchase; undefined when nothing stands in the way. Two purchases of one payer that run at
 * the very same moment on PostgreSQL do not see each other.
 */
export async function payerConflict(
  unit: Unit,
  purchase: Transaction,
  limits: PurchaseLimits,
): Promise<IntentConflict | undefined> {
  const { payerDocument: document, payerEmail } = purchase
  const [block, bought] = await Promise.all([
    findBlock.first(unit, { document, email: payerEmail.toLowerCase() }),
    limits.perPeriodMinor === undefined ? 0 : boughtLately(unit, purchase),
  ])
  if (block !== undefined)
    return block.by_provider === 1 ? 'payer_blocked_by_provider' : 'payer_blocked'
  return fitsLimits(purchase.amountMinor, bought, limits) ? undefined : 'limit_exceeded'
}

/** What the payer has bought in the period, in centavos. */
async function boughtLately(
  unit: Unit,
  { payerDocument: document, createdAtMs }: Transaction,
): Promise<number> {
  const afterMs = createdAtMs - PURCHASE_PERIOD_DAYS * DAY_MS
  const bought = await sumBought.first(unit, { document, afterMs })
  // PostgreSQL sums bigints to a numeric, which arrives as text.
  return Number(bought?.sum ?? 0)
}
