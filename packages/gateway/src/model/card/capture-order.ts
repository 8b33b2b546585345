// The order that ends an authorized payment: the first one counts.
import type { MinorUnits } from '@cofre/contracts'
import { isAuthorized } from '../transaction/capture.js'
import {
  type Transaction,
  type TransactionCode,
  isCaptureFailed,
} from '../transaction/transaction.js'
import { chargedShare } from './charged-share.js'

export type CaptureOperation = 'capture' | 'void'

/** A committed order to capture or to void a payment. */
export interface CaptureOrder {
  readonly operation: CaptureOperation
  /** The part of the amount to capture; all of it in a void. */
  readonly amountMinor: MinorUnits
  /** The same part of the charge, with interest. */
  readonly chargedMinor: MinorUnits
  /** `store`, `rule`, or the person who ordered it. */
  readonly orderedBy: string
  /** By the machine's clock. */
  readonly orderedAtMs: number
}

/** An authorized payment, and the order that ends it; its fields are undefined without one. */
export type PendingCapture = {
  readonly [Field in keyof CaptureOrder]: CaptureOrder[Field] | undefined
} & {
  readonly code: TransactionCode
  readonly merchantId: string
}

/** A requested order. Without an amount, all is captured. */
export interface WantedEnd extends Pick<CaptureOrder, 'operation' | 'orderedBy' | 'orderedAtMs'> {
  readonly amountMinor?: MinorUnits | undefined
}

/** The standing of a requested order. */
export type JudgedEnd =
  /** It is committed, or was before: the vault is to be asked. */
  | { readonly kind: 'ordered'; readonly order: CaptureOrder }
  /** The payment has ended as the order wants it. */
  | { readonly kind: 'captured' | 'released' }
  /** The other operation, or the capture of another amount, came first. */
  | {
      readonly kind: 'overtaken'
      readonly by: CaptureOperation
      readonly amountMinor: MinorUnits
    }
  | { readonly kind: 'not-authorized' | 'too-much' }

/** @param standing - The payment's earlier order; undefined without one. */
export function judgeEnd(
  transaction: Transaction,
  standing: CaptureOrder | undefined,
  wanted: WantedEnd,
): JudgedEnd {
  const { amountMinor = transaction.amountMinor, operation, orderedAtMs, orderedBy } = wanted
  const { capture } = transaction
  if (isCaptureFailed(transaction)) return { kind: 'not-authorized' }
  if (capture?.state === 'captured') {
    const captured = capture.amountMinor ?? transaction.amountMinor
    const isSame = operation === 'capture' && amountMinor === captured
    if (isSame) return { kind: 'captured' }
    return { kind: 'overtaken', by: 'capture', amountMinor: captured }
  }
  if (capture?.state === 'released' && operation === 'void') return { kind: 'released' }
  if (!isAuthorized(transaction)) return { kind: 'not-authorized' }
  if (amountMinor > transaction.amountMinor) return { kind: 'too-much' }
  if (standing !== undefined) {
    const isSame = standing.operation === operation && standing.amountMinor === amountMinor
    if (isSame) return { kind: 'ordered', order: standing }
    return { kind: 'overtaken', by: standing.operation, amountMinor: standing.amountMinor }
  }
  const chargedMinor = chargedShare(amountMinor, { transaction, refunds: [] })
  return {
    kind: 'ordered',
    order: { operation, amountMinor, chargedMinor, orderedBy, orderedAtMs },
  }
}

/** The order that a row has; undefined without one. */
export function orderOf(pending: PendingCapture | undefined): CaptureOrder | undefined {
  const { operation, amountMinor, chargedMinor, orderedBy, orderedAtMs } = pending ?? {}
  if (
    operation === undefined ||
    amountMinor === undefined ||
    chargedMinor === undefined ||
    orderedBy === undefined ||
    orderedAtMs === undefined
  )
    return undefined
  return { operation, amountMinor, chargedMinor, orderedBy, orderedAtMs }
}
