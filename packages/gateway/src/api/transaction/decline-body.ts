import type { DeclineBody } from '@cofre/contracts'
import { formatTimestamp } from '../../model/calendar/brazilian-calendar.js'
import { cardOf } from '../../model/transaction/payment-details.js'
import type { Transaction } from '../../model/transaction/transaction.js'

/** Why a card was declined, as the API answers it; undefined where its acquirer gave no reason. */
export function declineBody(transaction: Transaction): DeclineBody | undefined {
  const decline = cardOf(transaction)?.decline
  if (decline === undefined) return undefined
  const { reason, code, retry } = decline
  const isAllowed = retry.kind === 'allowed'
  const { statusChangedAtMs } = transaction
  return {
    reason,
    ...(code !== undefined && { code }),
    'retry-allowed': isAllowed,
    ...(isAllowed && { 'retry-date': formatTimestamp(statusChangedAtMs + retry.afterMs) }),
  }
}
