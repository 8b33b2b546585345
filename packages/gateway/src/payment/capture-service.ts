import type { MinorUnits } from '@cofre/contracts'
import type { Transaction } from '../model/transaction/transaction.js'
import { type EndAuthorizedDeps, type EndResult, endAuthorized } from './authorized-end-service.js'

/** The capture of an authorized payment. */
export interface AskedCapture {
  /** The part of the amount, without interest; undefined for all of it. */
  readonly amountMinor: MinorUnits | undefined
  /** `store`, or the person who orders it. */
  readonly orderedBy: string
}

/** Captures an authorized payment once, whole or in part; the rest is released. */
export async function capturePayment(
  deps: EndAuthorizedDeps,
  payment: Transaction,
  { amountMinor, orderedBy }: AskedCapture,
): Promise<EndResult> {
  return await endAuthorized(deps, payment, { operation: 'capture', amountMinor, orderedBy })
}
