import {
  type DeskStores,
  type EndedPayments,
  type Merchant,
  type RefundFacts,
  type RefundObjection,
  type ShownPayments,
  type Transaction,
  isAuthorized,
  refundObjection,
  refundableOf,
} from '@cofre/gateway/room'
import type {
  CancelResult,
  PaymentActs,
  PossibleActs,
  RefundOrder,
  RefundResult,
} from './model/payment-acts.js'
import type { WaitingCaptures } from './model/waiting-captures.js'
import type { PayerBlocks } from './payer-blocks.js'
import { findOwn } from './payment-files.js'

export interface ActsDeps {
  readonly payments: ShownPayments
  readonly ends: EndedPayments
  readonly stores: DeskStores
  readonly payerBlocks: PayerBlocks
  readonly waitingCaptures: Pick<WaitingCaptures, 'orderedOf'>
}

export function createPaymentActs(deps: ActsDeps): PaymentActs {
  const { block, unblock } = deps.payerBlocks
  return {
    async possible(storeId, code) {
      const own = await findWithStore(deps, storeId, code)
      return own && (await possibleOf(deps, own))
    },
    refund: (storeId, order) => refund(deps, storeId, order),
    cancel: (storeId, code) => cancel(deps, storeId, code),
    async capture(storeId, code, asked) {
      const own = await findOwn(deps, storeId, code)
      return own === undefined ? NOT_FOUND : await deps.ends.capture(own, asked)
    },
    async voidAuthorized(storeId, code, orderedBy) {
      const own = await findOwn(deps, storeId, code)
      return own === undefined ? NOT_FOUND : await deps.ends.voidAuthorized(own, orderedBy)
    },
    block,
    unblock,
  }
}

const NOT_FOUND = { kind: 'not-found' } as const

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
  const merchant = transaction && (await deps.stores.find(storeId))
  return transaction && merchant && { merchant, transaction }
}

async function possibleOf(
  deps: ActsDeps,
  { merchant, transaction }: OwnPayment,
): Promise<PossibleActs> {
  const { ends, payments } = deps
  const refunds = await payments.refundsOf(transaction.code)
  const refundDays = await ends.refundDays(transaction)
  const refundable = refundableOf(ends.refundCase(merchant, { transaction, refunds, refundDays }))
  return {
    refund: { ...refundable, mayBePartial: merchant.refunds === 'full-and-partial' },
    mayCancel: ends.mayCancel(transaction),
    ordered: isAuthorized(transaction)
      ? await deps.waitingCaptures.orderedOf(transaction.code)
      : undefined,
    isPayerBlocked: await deps.payerBlocks.isBlocked(transaction),
  }
}

/** The refundable remainder differs from the confirmed one. */
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
  const refundDays = await deps.ends.refundDays(transaction)
  const judge = (facts: RefundFacts): RefundObjection | undefined => {
    const refundCase = deps.ends.refundCase(merchant, { ...facts, refundDays })
    const isSame = refundableOf(refundCase).remainingMinor === remainingMinor
    return isSame ? refundObjection(amountMinor, refundCase) : REMAINDER_CHANGED
  }
  const result = await deps.ends.refund(merchant, {
    transactionCode: transaction.code,
    amountMinor,
    reference: `console-${formId}`,
    // A store without an address of its own is notified only of the transaction's status.
    notifyUrl: merchant.notificationUrl ?? '',
    note: { actor, reason, note },
    judge,
  })
  if (result === 'begun') return 'begun'
  if (result.kind !== 'refused')
    return result.earlier.amountMinor === amountMinor ? 'begun' : 'changed'
  const { objection } = result
  return objection === REMAINDER_CHANGED ? 'changed' : { refusedFor: objection.name }
}

async function cancel(deps: ActsDeps, storeId: string, code: string): Promise<CancelResult> {
  const transaction = await findOwn(deps, storeId, code)
  return transaction === undefined ? 'not-found' : await deps.ends.cancel(transaction)
}
