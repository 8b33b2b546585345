import type { SandboxParts } from '../visit/panel-parts.js'
import type { SimulatedParts } from '../visit/simulated-parts.js'
import { firstTransactionOf } from './first-transaction.js'
import { simulatedPayments } from './simulated-payment.js'

/** The sandbox's parts for the pages of rooms. */
export function simulatedParts(parts: SandboxParts): SimulatedParts {
  return { firstPayment: firstTransactionOf(parts), ofPayment: simulatedPayments(parts) }
}
