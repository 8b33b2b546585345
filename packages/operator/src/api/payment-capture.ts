// Ends of authorized payments by the API of a store.
import {
  type CancellationBody,
  type CaptureBody,
  type CaptureRequest,
  type MinorUnits,
  ApiError,
  assertNever,
  captureRequestTable,
  formatAmount,
} from '@cofre/contracts'
import { accepted, hasBeenPaid, paymentStatusOf, paymentSummary } from '@cofre/gateway/room'
import type { EndedResult, EndsAuthorized } from '../model/payment-acts.js'
import type { TransactionDetails } from '../model/payment-file.js'

/** The desk's use cases behind the ends of authorized payments. */
export interface EndCalls {
  readonly acts: EndsAuthorized
  /** Resolves to undefined if the store has no payment of that code. */
  readonly find: (storeId: string, code: string) => Promise<TransactionDetails | undefined>
}

/**
 * Reads the JSON body of a capture. An amount that is sent empty, or by another name, must not
 * capture everything.
 * @throws ApiError capture_invalid with every failure
 */
export function readCapture(json: unknown): CaptureRequest {
  const entries = Object.entries(json ?? {})
  const isAbsent = entries.some(([, value]) => value === null || value === '')
  if (isAbsent || entries.some(([name]) => name !== 'amount'))
    throw new ApiError([{ name: 'capture_invalid', property: 'amount', constraint: 'invalid' }])
  return accepted(captureRequestTable.validate(json, {}), [])
}

export interface StoreCapture {
  readonly storeId: string
  readonly code: string
  /** Undefined for the whole payment. */
  readonly amount: MinorUnits | undefined
}

/**
 * Captures an authorized payment.
 * @throws ApiError transaction_not_found, payment_not_capturable, capture_already_requested,
 * capture_amount_is_greater_than_payment, capture_refused
 */
export async function capture(
  { acts, find }: EndCalls,
  { amount: amountMinor, code, storeId }: StoreCapture,
): Promise<CaptureBody> {
  const result = await acts.capture(storeId, code, { amountMinor, orderedBy: 'store' })
  const details = await find(storeId, code)
  if (details === undefined) throw new ApiError('transaction_not_found')
  const { transaction, refunds } = details
  switch (result.kind) {
    case 'captured':
    case 'in-process':
      return { capture: result.kind, payment: paymentSummary(transaction, refunds) }
    case 'too-much': {
      const maximum = transaction.amountMinor / 100
      const name = 'capture_amount_is_greater_than_payment'
      throw new ApiError([{ name, property: 'amount', constraint: 'maximum', maximum }])
    }
    case 'refused':
      throw new ApiError('capture_refused')
    case 'overtaken':
      throw overtaken(result)
    case 'not-authorized':
    case 'released':
      throw new ApiError([
        {
          name: 'payment_not_capturable',
          cause: 'status',
          named: { status: paymentStatusOf(transaction) },
        },
      ])
    case 'not-found':
      throw new ApiError('transaction_not_found')
    default:
      return assertNever(result)
  }
}

/**
 * Voids an authorized payment.
 * @throws ApiError transaction_not_found, capture_already_requested, void_refused
 */
export async function cancelAuthorized(
  { acts, find }: EndCalls,
  storeId: string,
  code: string,
): Promise<CancellationBody> {
  const result = await acts.voidAuthorized(storeId, code, 'store')
  const details = await find(storeId, code)
  if (details === undefined) throw new ApiError('transaction_not_found')
  const { transaction, refunds } = details
  const payment = paymentSummary(transaction, refunds)
  if (hasBeenPaid(transaction)) return { cancellation: 'paid-meanwhile', payment }
  switch (result.kind) {
    case 'released':
      return { cancellation: 'cancelled', payment }
    case 'in-process':
      return { cancellation: 'in-process', payment }
    case 'refused':
      throw new ApiError('void_refused')
    case 'overtaken':
      throw overtaken(result)
    case 'captured':
    case 'not-authorized':
    case 'too-much':
    case 'not-found':
      throw new ApiError('transaction_not_found')
    default:
      return assertNever(result)
  }
}

function overtaken({ amountMinor, by }: Extract<EndedResult, { kind: 'overtaken' }>): ApiError {
  const name = 'capture_already_requested'
  return new ApiError([{ name, cause: by, named: { amount: formatAmount(amountMinor) } }])
}
