import type { RefundId } from '../refund/refund.js'
import type { PixBankRefund } from './pix-bank.js'

/** Begins every refund that the gateway asks a bank for. */
const OURS = 'cofre'
const REFUND_ID_LENGTH_MAX = 35

/** What a bank knows a refund as. */
export function bankRefundId(id: RefundId): string {
  return `${OURS}${id}`
}

/**
 * What a bank knows the refund of a surplus as. Always the same for one payment: it goes back once,
 * even when the database was restored in between.
 */
export function surplusRefundId(endToEndId: string): string {
  const name = `${OURS}s`
  const letters = endToEndId.replaceAll(/[^a-zA-Z0-9]/g, '')
  return name + letters.slice(name.length - REFUND_ID_LENGTH_MAX)
}

/** The refunds that were made at the bank. */
export function refundsOfBank(refunds: readonly PixBankRefund[]): readonly PixBankRefund[] {
  return refunds
    .filter(({ id }) => !id.startsWith(OURS))
    .map(({ id, amountMinor, state }) => ({ id, amountMinor, state }))
}
