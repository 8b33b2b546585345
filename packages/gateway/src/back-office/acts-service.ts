import type { MinorUnits } from '@cofre/contracts'
import type { Merchant } from '../model/merchant/merchant.js'
import {
  type RefundFacts,
  type RefundNote,
  type RefundObjection,
  type RefundObstacle,
  type Refundable,
  refundObjection,
  refundableOf,
} from '../model/refund/refund.js'
import type { Transaction } from '../model/transaction/transaction.js'
import { type Cancellation, cancelWaiting, isCancellable } from '../payment/cancellation-service.js'
import {
  type RefundDeps,
  beginRefund,
  refundCaseOf,
  refundDaysOf,
} from '../payment/refund-service.js'
import { findOwn } from './back-office-service.js'
import type { PayerBlocks } from './payer-blocks-service.js'

/** What the staff of a store does with its payments. What is refused is an answer, no error. */
export type PaymentActs = ReturnType<typeof createPaymentActs>

/** A refund as somebody has confirmed it. */
export interface RefundOrder extends RefundNote {
  readonly code: string
  /** Of the confirmation: sent twice, it asks for one refund. */
  readonly formId: string
  readonly amountMinor: MinorUnits
  /** What remained to be refunded when it was confirmed. */
  readonly remainingMinor: MinorUnits
}

/**
 * `changed`: something else remains than the person has confirmed, so nothing is refunded. The
 * refund is PROCESSING once it has `begun`.
 */
export type RefundResult =
  | 'begun'
  | 'changed'
  | 'not-found'
  | { readonly refusedFor: RefundObstacle }

export type CancelResult = Cancellation | 'not-found'

/** What may be done with a payment. */
export interface PossibleActs {
  readonly refund: Refundable & { readonly mayBePartial: boolean }
  readonly mayCancel: boolean
  /** Undefined once its payer's data is erased. */
  readonly isPayerBlocked: boolean | undefined
}

export interface ActsDeps extends RefundDeps {
  readonly payerBlocks: PayerBlocks
}

export function createPaymentActs(deps: ActsDeps) {
  const { payerBlocks } = deps
  return {
    /** Undefined when the store has no such payment. */
    async possible(storeId: string, code: string): Promise<PossibleActs | undefined> {
      const own = await findWithStore(deps, storeId, code)
      return own && (await possibleOf(deps, own))
    },

    /** Asks for a refund as the store's API would, so its limits and rights are the same. */
    refund: (storeId: string, order: RefundOrder) => refund(deps, storeId, order),

    /** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
    cancel: (storeId: string, code: string) => cancel(deps, storeId, code),

    /** Keeps a payment's payer from buying in the store. */
    block: payerBlocks.block,

    /** What the operator has blocked for all stores stays so. */
    unblock: payerBlocks.unblock,
  }
}

interface OwnPayment {
  readonly merchant: Merchant
  readonly transaction: Transaction
}

async function findWithStore(
  deps: ActsDeps,
  storeId: string,
  code: string,
): Promise<OwnPayment | undefined> {
  const transaction = await findOwn(deps, storeId, code)
  const merchant = transaction && (await deps.merchants.find(storeId))
  return transaction && merchant && { merchant, transaction }
}

async function possibleOf(
  deps: ActsDeps,
  { merchant, transaction }: OwnPayment,
): Promise<PossibleActs> {
  const { code } = transaction
  const refunds = (await deps.refunds.findOf([code])).get(code) ?? []
  const refundDays = await refundDaysOf(deps, transaction)
  const facts = { transaction, refunds, refundDays }
  const refundable = refundableOf(refundCaseOf(deps, merchant, facts))
  return {
    refund: { ...refundable, mayBePartial: merchant.refunds === 'full-and-partial' },
    mayCancel: isCancellable(deps, transaction),
    isPayerBlocked: await deps.payerBlocks.isBlocked(transaction),
  }
}

/** Whoever has confirmed a refund has seen another remainder. */
const REMAINDER_CHANGED: RefundObjection = {
  name: 'refund_amount_is_greater_than_limit',
  property: 'amount',
}

async function refund(
  deps: ActsDeps,
  storeId: string,
  { actor, amountMinor, code, formId, note, reason, remainingMinor }: RefundOrder,
): Promise<RefundResult> {
  const own = await findWithStore(deps, storeId, code)
  if (own === undefined) return 'not-found'
  const { merchant, transaction } = own
  const refundDays = await refundDaysOf(deps, transaction)
  const judge = (facts: RefundFacts): RefundObjection | undefined => {
    const refundCase = refundCaseOf(deps, merchant, { ...facts, refundDays })
    const isSame = refundableOf(refundCase).remainingMinor === remainingMinor
    return isSame ? refundObjection(amountMinor, refundCase) : REMAINDER_CHANGED
  }
  const reference = `console-${formId}`
  const result = await beginRefund(deps, merchant, {
    transactionCode: transaction.code,
    amountMinor,
    reference,
    // A store without an address of its own hears of the transaction's status alone.
    notifyUrl: merchant.notificationUrl ?? '',
    note: { actor, reason, note },
    judge,
    key: { digest: await deps.keyDigests.of(storeId, reference), referenceBy02: reference },
  })
  if ('id' in result) return 'begun'
  if (result.kind !== 'refused')
    return result.earlier.amountMinor === amountMinor ? 'begun' : 'changed'
  const { objection } = result
  return objection === REMAINDER_CHANGED ? 'changed' : { refusedFor: objection.name }
}

async function cancel(deps: ActsDeps, storeId: string, code: string): Promise<CancelResult> {
  const transaction = await findOwn(deps, storeId, code)
  return transaction === undefined ? 'not-found' : await cancelWaiting(deps, transaction)
}
