import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { growingMs } from '@cofre/work'
import type { BankCharge } from '@cofre/gateway/method'
import { LOOK_PAUSE_MAX_MS, endOf } from './bank-charge.js'
import { chargeKindOf } from './charge-kind.js'

/** After the opening. */
const LOOKS_AFTER_MS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS]
/** Between two looks at a boleto that its bank has issued. */
const BOLETO_LOOK_PAUSE_MS = 12 * HOUR_MS

/**
 * When a charge is looked at next, without a notice. While it is live: soon after its opening, a
 * boleto at growing pauses until its bank has issued it, and twice a day then; and at its end. Then
 * at growing pauses until the bank has answered.
 */
export function nextLookAtMs(
  charge: Pick<
    BankCharge,
    'method' | 'openedAtMs' | 'bankExpiresAtMs' | 'dueDate' | 'issuedAtMs' | 'state'
  >,
  looks: number,
  nowMs: number,
): number {
  const { issuedAtMs, openedAtMs = nowMs, state } = charge
  const endMs = endOf(charge)
  const growing = nowMs + lookPauseMs(looks)
  if (state === 'closed' || nowMs >= endMs) return growing
  if (issuedAtMs !== undefined) return Math.min(nowMs + BOLETO_LOOK_PAUSE_MS, endMs)
  const soon = LOOKS_AFTER_MS.map((afterMs) => openedAtMs + afterMs)
  return soon.find((atMs) => atMs > nowMs) ?? (chargeKindOf(charge).isIssuedLater ? growing : endMs)
}

/** The pause after a look that the bank has not answered. */
export function lookPauseMs(looks: number): number {
  return growingMs(MINUTE_MS, LOOK_PAUSE_MAX_MS, looks)
}
