// What the core hands the operator's desk: what people see of payments and do with them. The desk
// decides; the core judges and commits, as it does for the API.
import type { Secret, TransactionStatus } from '@cofre/contracts'
import { type PageParts, type PaymentParts, partsOf } from '../model/back-office/payment-part.js'
import type {
  Merchant,
  Rotation,
  SettingDecision,
  StoreActor,
  StoreChange,
} from '../model/merchant/merchant.js'
import type {
  Refund,
  RefundCase,
  RefundConflict,
  RefundFacts,
  RefundId,
  RefundJudge,
  RefundNote,
  RefundOutcome,
} from '../model/refund/refund.js'
import type { PayerFields, PaymentMethods } from '../method/payment-method.js'
import type { Transaction, TransactionCode } from '../model/transaction/transaction.js'
import { type BankSlipPathDeps, bankSlipPath } from './boleto-slip-service.js'
import { type Cancellation, cancelWaiting, isCancellable } from './cancellation-service.js'
import type { RefundStore, TransactionStore } from './ports.js'
import { type RefundDeps, beginRefund, refundCaseOf, refundDaysOf } from './refund-service.js'
import { type StatusReportDeps, recordStatus } from './status-report-service.js'

/** Payments, and what belongs to them. */
export interface ShownPayments {
  /** One that is shown; undefined when the store has none of that code. */
  readonly find: (storeId: string, code: TransactionCode) => Promise<Transaction | undefined>
  /** Of any store; also one that may be withdrawn, and is not to be shown. */
  readonly findByCode: (code: TransactionCode) => Promise<Transaction | undefined>
  /** Oldest first. */
  readonly refundsOf: (code: TransactionCode) => Promise<readonly Refund[]>
  /** Why the staff asked for refunds. */
  readonly refundNotesOf: (code: TransactionCode) => Promise<ReadonlyMap<RefundId, RefundNote>>
  /** What rooms add to its page. */
  readonly partsOf: (payment: Transaction) => Promise<PageParts>
}

/** Changes of payments, each with its notification. */
export interface ChangedPayments {
  /** False, and nothing changed, when the payment may not go there. */
  readonly changeStatus: (code: TransactionCode, to: TransactionStatus) => Promise<boolean>
  /** Ends a refund; false when it is not PROCESSING. */
  readonly finishRefund: (id: RefundId, to: RefundOutcome) => Promise<boolean>
  /** Deletes a store's answered payments with all that belongs to them. */
  readonly deleteAnswered: (storeId: string) => Promise<void>
}

/** A refund as the desk asks for it. */
export interface DeskRefund extends Pick<
  Refund,
  'transactionCode' | 'amountMinor' | 'reference' | 'notifyUrl'
> {
  /** Of the order: asked for twice, one refund begins. */
  readonly reference: string
  readonly note: RefundNote
  /** Asked over what is known when the refund is committed. */
  readonly judge: RefundJudge
}

/** Why no refund has begun: another of its reference has, or the judge refused it. */
export type DeskRefusal = Exclude<RefundConflict, string>

/** Refunds and cancellations, as the API makes them. */
export interface EndedPayments {
  /** Days after its payment in which a payment may be refunded. */
  readonly refundDays: (payment: Transaction) => Promise<number>
  /** What decides whether a store may refund a payment. */
  readonly refundCase: (
    store: Merchant,
    facts: RefundFacts & Pick<RefundCase, 'refundDays'>,
  ) => RefundCase
  /** Begins a refund, once for its reference. */
  readonly refund: (store: Merchant, refund: DeskRefund) => Promise<'begun' | DeskRefusal>
  /** Whether a payment waits for its payer. */
  readonly mayCancel: (payment: Transaction) => boolean
  /** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
  readonly cancel: (payment: Transaction) => Promise<Cancellation>
}

/** What a payer was given, once more. */
export interface GivenAgain {
  /** Where a boleto's slip is that its bank draws; undefined without. Asks no bank. */
  readonly bankSlipPath: (payment: Transaction) => Promise<string | undefined>
  /**
   * The codes and addresses with which it is paid.
   * @param publicUrl - Origin at which payers reach this environment.
   */
  readonly payerFields: (payment: Transaction, publicUrl: string) => PayerFields
}

/** Stores, as their people change them. */
export interface DeskStores {
  readonly find: (storeId: string) => Promise<Merchant | undefined>
  /**
   * Changes what is decided over the settings as they are, while no other change is made. Returns
   * what became different, or why nothing did; undefined when there is no such store.
   */
  readonly decide: <Refusal>(
    storeId: string,
    decision: SettingDecision<Refusal>,
    actor: StoreActor,
  ) => Promise<
    { readonly changed: StoreChange['settings'] } | { readonly refused: Refusal } | undefined
  >
  /** False when there is no such store, or when it is not as the rotation wants it. */
  readonly rotateSecret: (
    storeId: string,
    secret: Secret<string>,
    rotation: Rotation,
  ) => Promise<boolean>
}

/** What the operator's desk has of the core. The rest it reads in statements of its own. */
export interface Desk {
  readonly payments: ShownPayments
  readonly changes: ChangedPayments
  readonly ends: EndedPayments
  readonly copies: GivenAgain
  readonly stores: DeskStores
}

export interface ShownPaymentsDeps {
  readonly transactions: Pick<TransactionStore, 'find' | 'findByCode'>
  readonly refunds: Pick<RefundStore, 'findOf' | 'notesOf'>
  readonly pageParts: PaymentParts<PageParts>
}

export function shownPaymentsOf(deps: ShownPaymentsDeps): ShownPayments {
  const { pageParts, refunds, transactions } = deps
  return {
    find: (storeId, code) => transactions.find(storeId, code),
    findByCode: (code) => transactions.findByCode(code),
    refundsOf: async (code) => (await refunds.findOf([code])).get(code) ?? [],
    refundNotesOf: (code) => refunds.notesOf(code),
    partsOf: async (payment) => (await partsOf(pageParts, [payment]))(payment),
  }
}

export interface ChangedPaymentsDeps extends StatusReportDeps {
  readonly refunds: RefundStore
}

export function changedPaymentsOf(deps: ChangedPaymentsDeps): ChangedPayments {
  const { clock, refunds, transactions } = deps
  return {
    changeStatus: async (code, to) => (await recordStatus(deps, code, to)) !== undefined,
    finishRefund: (id, to) => refunds.finish(id, to, clock.now()),
    deleteAnswered: (storeId) => transactions.deleteAnswered(storeId),
  }
}

export function endedPaymentsOf(deps: RefundDeps): EndedPayments {
  return {
    refundDays: (payment) => refundDaysOf(deps, payment),
    refundCase: (store, facts) => refundCaseOf(deps, store, facts),
    async refund(store, order) {
      const { reference } = order
      const digest = await deps.keyDigests.of(store.id, reference)
      const key = { digest, referenceBy02: reference }
      const result = await beginRefund(deps, store, { ...order, key })
      return 'id' in result ? 'begun' : result
    },
    mayCancel: (payment) => isCancellable(deps, payment),
    cancel: (payment) => cancelWaiting(deps, payment),
  }
}

export function givenAgainOf(
  deps: BankSlipPathDeps & { readonly methods: PaymentMethods },
): GivenAgain {
  return {
    bankSlipPath: (payment) => bankSlipPath(deps, payment),
    payerFields: (payment, publicUrl) =>
      deps.methods.of(payment.paymentType).shown(payment, publicUrl),
  }
}
