// Where a bank's word on refunds is written: of those that were asked for, and of those that people
// made at the bank.
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

/** A refund that ended otherwise than it had, or that people made at the bank. */
export interface RefundNews {
  readonly id: RefundId
  /** Undefined where the gateway did not know of it. */
  readonly before: Refund['status'] | undefined
  readonly status: Refund['status']
  /** The bank's word, where it does not make the refund. */
  readonly reason: string | undefined
}

const OUTCOMES: Readonly<Record<PixBankRefund['state'], RefundOutcome | undefined>> = {
  'in-process': undefined,
  returned: 'PROCESSED',
  'not-done': 'REJECTED',
}

/**
 * Commits what a bank says of the refunds of an order's payment. The caller has locked the
 * transaction.
 */
export async function recordOrderRefunds(
  trx: Db,
  transaction: Transaction,
  { said, reading }: { said: readonly PixBankRefund[]; reading: RefundReading },
): Promise<readonly RefundNews[]> {
  const { code } = transaction
  const known = await refundsOfTransaction(trx, code)
  const news: RefundNews[] = []
  for (const { id, amountMinor: chargedMinor, state, reason, nature } of said) {
    const refund = known.find((one) => (one.providerRefundId ?? bankRefundId(one)) === id)
    const outcome = OUTCOMES[state]
    // Nothing went back, and nobody had been promised that it would.
    if (refund === undefined && outcome === 'REJECTED') continue
    // Not this refund, whatever its name: a person has to look.
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

/** Of a charge beside the order's amount, the store's share of what people sent back. */
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

/** How far a surplus is on its way back, by what its bank says. */
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
