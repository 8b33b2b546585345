import { OUR_REFUNDS } from '@cofre/gateway/method'
import type { PixBankRefund } from '@cofre/provider-kit/bank'

const REFUND_ID_LENGTH_MAX = 35

/**
 * What a bank knows the refund of a surplus as: always the same for one payment, so that it goes
 * back once, even when the database was restored in between.
 */
export function surplusRefundId(endToEndId: string): string {
  const name = `${OUR_REFUNDS}s`
  const letters = endToEndId.replaceAll(/[^a-zA-Z0-9]/g, '')
  return name + letters.slice(name.length - REFUND_ID_LENGTH_MAX)
}

/** How far a refund has come: a reading that was overtaken by a later one changes nothing. */
const PROGRESS: Readonly<Record<PixBankRefund['state'], number>> = {
  'in-process': 0,
  returned: 1,
  'not-done': 2,
}

/**
 * The refunds of a payment, with what a bank says of them. None is forgotten: a list may leave out
 * what a charge's own read has. The same array when nothing is new.
 */
export function refundsAfter(
  before: readonly PixBankRefund[],
  said: readonly PixBankRefund[],
): readonly PixBankRefund[] {
  const refunds = new Map(before.map((refund) => [refund.id, refund]))
  const news = said.filter((one) => {
    const { id, amountMinor, state, reason, nature } = one
    const known = refunds.get(id)
    if (known !== undefined && PROGRESS[state] <= PROGRESS[known.state]) return false
    refunds.set(id, {
      id,
      amountMinor,
      state,
      ...(reason !== undefined && { reason }),
      ...(nature !== undefined && { nature }),
    })
    return true
  })
  return news.length === 0 ? before : [...refunds.values()]
}
