import { ApiError, type RefundRequest, dropAbsent, refundRequestTable } from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'
import type { MerchantStore } from '../model/merchant/merchant-store.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import { drawTransactionCode } from '../model/transaction/transaction-code.js'
import { type TransactionDeps, findTransaction } from './transaction-service.js'
import {
  type Refund,
  type RefundCase,
  type RefundId,
  refundObjection,
} from '../model/refund/refund.js'
import type { RefundConflict, RefundFacts, RefundStore } from '../model/refund/refund-store.js'

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

/** What decides whether the store may refund a transaction. */
export function refundCaseOf(
  { rails, clock }: Pick<RefundDeps, 'rails' | 'clock'>,
  merchant: Merchant,
  { transaction, refunds }: RefundFacts,
): RefundCase {
  const { paymentType, subType } = transaction
  const methodAccepts = rails.acceptsRefund(paymentType, subType)
  return { merchant, transaction, refunds, methodAccepts, nowMs: clock.now() }
}

/**
 * Starts a refund. It is PROCESSING until the payment provider has finished it. A reference that was used for the transaction
 * before asks for the same refund again: it is answered as it is, and nothing is started.
 * @throws ApiError 206xx
 */
export async function createRefund(
  deps: RefundDeps,
  merchant: Merchant,
  request: RefundRequest,
): Promise<Refund> {
  const transaction = await findTransaction(deps, merchant, request['transaction-id'])
  const plan: Omit<Refund, 'id'> = {
    transactionCode: transaction.code,
    merchantId: merchant.id,
    status: 'PROCESSING',
    amountMinor: request.amount ?? transaction.amountMinor,
    reference: request.reference,
    notifyUrl: request['notify-url'],
    requestedAtMs: deps.clock.now(),
    processedAtMs: undefined,
  }
  for (let draw = 1; draw <= ID_DRAWS_MAX; draw++) {
    const id = drawTransactionCode(plan.requestedAtMs, deps.randomBelow) as number as RefundId
    const refund: Refund = { ...plan, id }
    const result = await deps.refunds.insert(refund, (facts) =>
      refundObjection(refund.amountMinor, refundCaseOf(deps, merchant, facts)),
    )
    if (result === 'inserted') return refund
    if (result !== 'id_taken') return refundOfConflict(refund, result)
  }
  throw new Error('no free refund number was drawn')
}

/** Starts a refund of a store that signed in another environment. @throws ApiError partner_not_found, 206xx */
export async function createRefundFor(
  deps: RefundDeps & { readonly merchants: MerchantStore },
  merchantId: string,
  request: RefundRequest,
): Promise<Refund> {
  const merchant = await deps.merchants.find(merchantId)
  if (merchant === undefined) throw new ApiError('partner_not_found')
  return await createRefund(deps, merchant, request)
}

/** The refund that was asked for before. @throws ApiError when there is none, or when it was another */
function refundOfConflict(asked: Refund, conflict: Exclude<RefundConflict, 'id_taken'>): Refund {
  if (conflict.kind === 'refused') throw new ApiError([conflict.objection])
  const { earlier } = conflict
  if (earlier.amountMinor === asked.amountMinor && earlier.notifyUrl === asked.notifyUrl)
    return earlier
  throw new ApiError([{ name: 'refund_invalid', property: 'reference', constraint: 'unique' }])
}
