import type { SandboxParts } from '../frame/panel-parts.js'
import type { PlayedParts } from '../frame/played.js'
import { firstTransactionOf } from './first-transaction.js'
import { playedPayments } from './played-payment.js'

/** The sandbox's parts for the pages of rooms. */
export function playedParts(parts: SandboxParts): PlayedParts {
  return { firstPayment: firstTransactionOf(parts), ofPayment: playedPayments(parts) }
}
