import type { Decline, DeclineBody } from '@cofre/contracts'
import { formatTimestamp } from '../../model/calendar/brazilian-calendar.js'
import { cardOf } from '../../model/transaction/payment-details.js'
import type { Transaction } from '../../model/transaction/transaction.js'

/** Why a card was declined, as the API answers it; undefined where its acquirer gave no reason. */
export function declineBody(transaction: Transaction): DeclineBody | undefined {
  const decline = cardOf(transaction)?.decline
  return decline && declineBodyOf(decline, transaction.statusChangedAtMs)
}

/** @param atMs - The time of the decline. */
export function declineBodyOf({ reason, code, retry }: Decline, atMs: number): DeclineBody {
  const isAllowed = retry.kind === 'allowed'
  return {
    reason,
    ...(code !== undefined && { code }),
    'retry-allowed': isAllowed,
    ...(isAllowed && { 'retry-date': formatTimestamp(atMs + retry.afterMs) }),
  }
}
