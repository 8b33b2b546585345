// Writes a bank's reports on refunds: on requested ones, and on those that people made at the bank.
import type { MinorUnits } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import {
  type BankPayment,
  type GatewayTables,
  type Refund,
  type RefundId,
  type RefundOutcome,
  type RefundReading,
  type Transaction,
  amountShare,
  bankRefundId,
  endRefund,
  insertProviderRefund,
  refundsOfTransaction,
} from '@cofre/gateway/method'
import type { PixBankRefund } from '@cofre/provider-kit/bank'
import { surplusRefundId } from '../model/pix-refund.js'

type Db = Connection<GatewayTables>

/** A refund that changed its end, or that people made at the bank. */
export interface RefundChange {
  readonly id: RefundId
  /** Undefined if the gateway did not know of it. */
  readonly before: Refund['status'] | undefined
  readonly status: Refund['status']
  /** The bank's reason, if it does not make the refund. */
  readonly reason: string | undefined
}

const OUTCOMES: Readonly<Record<PixBankRefund['state'], RefundOutcome | undefined>> = {
  'in-process': undefined,
  returned: 'PROCESSED',
  'not-done': 'REJECTED',
}

/**
 * Commits a bank's report on the refunds of an order's payment. The caller has locked the
 * transaction.
 */
export async function recordOrderRefunds(
  trx: Db,
  transaction: Transaction,
  { reported, reading }: { reported: readonly PixBankRefund[]; reading: RefundReading },
): Promise<readonly RefundChange[]> {
  const { code } = transaction
  const known = await refundsOfTransaction(trx, code)
  const news: RefundChange[] = []
  for (const { id, amountMinor: chargedMinor, state, reason, nature } of reported) {
    const refund = known.find((one) => (one.providerRefundId ?? bankRefundId(one)) === id)
    const outcome = OUTCOMES[state]
    // Nothing went back, and no refund had been promised.
    if (refund === undefined && outcome === 'REJECTED') continue
    // It is another refund with the same name: a person must compare the two.
    if (refund !== undefined && (refund.chargedMinor ?? refund.amountMinor) !== chargedMinor)
      continue
    const followed = refund ?? {
      id: await insertProviderRefund(
        trx,
        { ...(await sharedRefund(trx, transaction, chargedMinor)), providerRefundId: id, nature },
        reading,
      ),
      status: 'PROCESSING' as const,
    }
    const { atMs } = reading
    const end = outcome !== undefined && outcome !== followed.status
    if (end) await endRefund(trx, { code, id: followed.id, from: followed.status, outcome, atMs })
    if (end || refund === undefined)
      news.push({
        id: followed.id,
        before: refund?.status,
        status: outcome ?? 'PROCESSING',
        reason,
      })
  }
  return news
}

/** If the charge differs from the order's amount, the store's share of what people sent back. */
async function sharedRefund(trx: Db, transaction: Transaction, chargedMinor: MinorUnits) {
  const { code: transactionCode, amountMinor: wholeMinor, merchantId } = transaction
  const about = { transactionCode, merchantId }
  if (transaction.chargedMinor === wholeMinor) return { ...about, amountMinor: chargedMinor }
  const refunds = await refundsOfTransaction(trx, transactionCode)
  return {
    ...about,
    amountMinor: amountShare(chargedMinor, { transaction, refunds }),
    chargedMinor,
  }
}

/** The status of a surplus after the bank's refunds of it. */
export function surplusStatusAfter({
  amountMinor,
  bankRefunds,
  endToEndId,
  refundStatus,
}: BankPayment): BankPayment['refundStatus'] {
  const returnedMinor = bankRefunds
    .filter(({ state }) => state === 'returned')
    .reduce((sum, refund) => sum + refund.amountMinor, 0)
  if (returnedMinor >= amountMinor) return 'PROCESSED'
  const own = bankRefunds.find(({ id }) => id === surplusRefundId(endToEndId))
  return own?.state === 'not-done' ? 'REJECTED' : refundStatus
}
