import {
  ApiError,
  type ErrorName,
  type Failure,
  type RefundRequest,
  dropAbsent,
  refundRequestTable,
} from '@cofre/contracts'
import type { Merchant } from '../merchant/merchant.js'
import type { PaymentRails } from '../payment-rail/payment-rails.js'
import type { Transaction } from '../transaction/transaction.js'
import { drawTransactionCode } from '../transaction/transaction-code.js'
import { type TransactionDeps, findTransaction } from '../transaction/transaction-service.js'
import { type Refund, type RefundId, amountObstacle, refundObstacle } from './refund.js'
import type { RefundStore } from './refund-store.js'

export interface RefundDeps extends Pick<
  TransactionDeps,
  'transactions' | 'clock' | 'randomBelow' | 'requestPolicy'
> {
  readonly refunds: RefundStore
  readonly rails: PaymentRails
}

/** More draws than any second's traffic can need. */
const ID_DRAWS_MAX = 20

/** Judges the JSON body of `POST /refunds`. @throws ApiError refund_invalid with every failure */
export function readRefundRequest(
  json: unknown,
  { acceptsNotificationUrl }: RefundDeps['requestPolicy'],
  { refusesCardReferences }: Merchant,
): RefundRequest {
  const judged = refundRequestTable.validate(dropAbsent(json), {
    acceptsNotificationUrl,
    refusesCardReferences,
  })
  if (judged.ok) return judged.value
  throw new ApiError(judged.failures)
}

/**
 * Starts a refund. It is PROCESSING until the payment provider has finished it.
 * @throws ApiError 206xx
 */
export async function createRefund(
  deps: RefundDeps,
  merchant: Merchant,
  request: RefundRequest,
): Promise<Refund> {
  const transaction = await findTransaction(deps, merchant, request['transaction-id'])
  const obstacle = refundObstacle(merchant, transaction, {
    nowMs: deps.clock.now(),
    methodAccepts: deps.rails.acceptsRefund(transaction.paymentType, transaction.subType),
  })
  if (obstacle !== undefined) throw refusal(obstacle, 'transaction-id')
  return await commitRefund(deps, merchant, { transaction, request })
}

async function commitRefund(
  { refunds, clock, randomBelow }: RefundDeps,
  merchant: Merchant,
  { transaction, request }: { readonly transaction: Transaction; readonly request: RefundRequest },
): Promise<Refund> {
  const requestedAtMs = clock.now()
  const amountMinor = request.amount ?? transaction.amountMinor
  for (let draw = 1; draw <= ID_DRAWS_MAX; draw++) {
    const refund: Refund = {
      id: drawTransactionCode(requestedAtMs, randomBelow) as number as RefundId,
      transactionCode: transaction.code,
      merchantId: merchant.id,
      status: 'PROCESSING',
      amountMinor,
      reference: request.reference,
      notifyUrl: request['notify-url'],
      requestedAtMs,
      processedAtMs: undefined,
    }
    const result = await refunds.insert(refund, (refundedMinor) =>
      amountObstacle(amountMinor, transaction, { merchant, refundedMinor }),
    )
    if (result === 'inserted') return refund
    if (result === 'refund_already_requested') throw refusal(result, 'transaction-id')
    if (result !== 'id_taken') throw refusal(result, 'amount')
  }
  throw new Error('no free refund number was drawn')
}

function refusal(name: ErrorName, property: string): ApiError {
  const failure: Failure = { name, property }
  return new ApiError([failure])
}
