import { createHash } from 'node:crypto'
import type { Refund } from '../refund/refund.js'
import type { PixBankRefund } from './pix-bank.js'

/** How the name begins of each refund that the gateway asks a bank for. */
const OURS = 'cofre'
const REFUND_ID_LENGTH_MAX = 35

/**
 * What a bank knows a refund as that a store has asked for. Made of the store's reference where
 * there is one: asked for again after a database was restored, it is the refund that the bank has.
 */
export function bankRefundId({
  id,
  reference,
  transactionCode,
}: Pick<Refund, 'id' | 'reference' | 'transactionCode'>): string {
  if (reference === undefined) return `${OURS}${id}`
  const digest = createHash('sha256').update(`${transactionCode} ${reference}`).digest('hex')
  return `${OURS}${digest}`.slice(0, REFUND_ID_LENGTH_MAX)
}

/**
 * What a bank knows the refund of a surplus as: always the same for one payment, so that it goes
 * back once, even when the database was restored in between.
 */
export function surplusRefundId(endToEndId: string): string {
  const name = `${OURS}s`
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
  const news = said.filter(({ id, amountMinor, state, reason }) => {
    const known = refunds.get(id)
    if (known !== undefined && PROGRESS[state] <= PROGRESS[known.state]) return false
    refunds.set(id, { id, amountMinor, state, ...(reason !== undefined && { reason }) })
    return true
  })
  return news.length === 0 ? before : [...refunds.values()]
}
