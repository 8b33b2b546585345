import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { growingMs } from '@cofre/work'
import type { BankCharge } from '@cofre/gateway/method'
import { READ_PAUSE_MAX_MS, endOf } from './bank-charge.js'
import { chargeKindOf } from './charge-kind.js'

/** Counted from the opening. */
const READS_AFTER_MS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS]
/** Between two looks at an issued boleto. */
const BOLETO_READ_PAUSE_MS = 12 * HOUR_MS

/**
 * The time of a charge's next look if no notice arrives. A live charge is read soon after its
 * opening and at its end. A boleto is read at growing pauses until it is issued, then twice a day.
 * After the end, looks follow at growing pauses until the bank answers.
 */
export function nextReadAtMs(
  charge: Pick<
    BankCharge,
    'method' | 'openedAtMs' | 'bankExpiresAtMs' | 'dueDate' | 'issuedAtMs' | 'state'
  >,
  looks: number,
  nowMs: number,
): number {
  const { issuedAtMs, openedAtMs = nowMs, state } = charge
  const endMs = endOf(charge)
  const growing = nowMs + readPauseMs(looks)
  if (state === 'closed' || nowMs >= endMs) return growing
  if (issuedAtMs !== undefined) return Math.min(nowMs + BOLETO_READ_PAUSE_MS, endMs)
  const soon = READS_AFTER_MS.map((afterMs) => openedAtMs + afterMs)
  return soon.find((atMs) => atMs > nowMs) ?? (chargeKindOf(charge).isIssuedLater ? growing : endMs)
}

/** The pause after an unanswered look. */
export function readPauseMs(looks: number): number {
  return growingMs(MINUTE_MS, READ_PAUSE_MAX_MS, looks)
}
