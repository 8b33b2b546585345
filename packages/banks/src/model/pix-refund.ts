import { REFUND_NAME_PREFIX } from '@cofre/gateway/method'
import type { PixBankRefund } from '@cofre/provider-kit/bank'

const REFUND_ID_LENGTH_MAX = 35

/**
 * The refund id of a surplus. One payment always has the same id, so that it goes back only once,
 * even after a restored database.
 */
export function surplusRefundId(endToEndId: string): string {
  const name = `${REFUND_NAME_PREFIX}s`
  const letters = endToEndId.replaceAll(/[^a-zA-Z0-9]/g, '')
  return name + letters.slice(name.length - REFUND_ID_LENGTH_MAX)
}

/** The order of a refund's states: a reading that arrives after a later one changes nothing. */
const PROGRESS: Readonly<Record<PixBankRefund['state'], number>> = {
  'in-process': 0,
  returned: 1,
  'not-done': 2,
}

/**
 * The known refunds of a payment, merged with the bank's. None is dropped: a list may omit refunds
 * that a read of the charge has. Returns the same array when nothing is new.
 */
export function refundsAfter(
  before: readonly PixBankRefund[],
  reported: readonly PixBankRefund[],
): readonly PixBankRefund[] {
  const refunds = new Map(before.map((refund) => [refund.id, refund]))
  const news = reported.filter((one) => {
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
