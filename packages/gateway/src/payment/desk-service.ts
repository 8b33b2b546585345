// The core's interface for the operator's desk: what people see of payments and do with them. The
// desk decides; the core judges and commits, as for the API.
import type { Secret, TransactionStatus } from '@cofre/contracts'
import { type PageParts, type PaymentParts, partsOf } from '../model/back-office/payment-part.js'
import type {
  Merchant,
  Rotation,
  SettingDecision,
  StoreActor,
  StoreChange,
} from '../model/merchant/merchant.js'
import type { ShownKeys } from '../model/merchant/store-key.js'
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
import {
  type AskedCapture,
  type EndAuthorizedDeps,
  type EndResult,
  capturePayment,
  voidPayment,
} from './capture/authorized-end-service.js'
import { type BankSlipPathDeps, bankSlipPath } from './boleto-slip-service.js'
import { type Cancellation, cancelWaiting, isCancellable } from './cancellation-service.js'
import type { RefundStore, TransactionStore } from './ports.js'
import { type RefundDeps, beginRefund, refundCaseOf, refundDaysOf } from './refund-service.js'
import { type StatusReportDeps, recordStatus } from './status-report-service.js'

/** Payments and their data. */
export interface ShownPayments {
  /** Finds only a shown payment; undefined if the store has none with that code. */
  readonly find: (storeId: string, code: TransactionCode) => Promise<Transaction | undefined>
  /** A payment of any store, including one that may be withdrawn and must not be shown. */
  readonly findByCode: (code: TransactionCode) => Promise<Transaction | undefined>
  /** Oldest first. */
  readonly refundsOf: (code: TransactionCode) => Promise<readonly Refund[]>
  /** The staff's reasons for refunds. */
  readonly refundNotesOf: (code: TransactionCode) => Promise<ReadonlyMap<RefundId, RefundNote>>
  /** Rooms' additions to its page. */
  readonly partsOf: (payment: Transaction) => Promise<PageParts>
}

/** Changes of payments, each with its notification. */
export interface ChangedPayments {
  /** False, with nothing changed, if the payment may not go there. */
  readonly changeStatus: (code: TransactionCode, to: TransactionStatus) => Promise<boolean>
  /** Ends a refund; false if it is not PROCESSING. */
  readonly finishRefund: (id: RefundId, to: RefundOutcome) => Promise<boolean>
  /** Deletes a store's answered payments with all their data. */
  readonly deleteAnswered: (storeId: string) => Promise<void>
}

/** A refund that the desk requests. */
export interface DeskRefund extends Pick<
  Refund,
  'transactionCode' | 'amountMinor' | 'reference' | 'notifyUrl'
> {
  /** Identifies the request: if it is repeated, only one refund starts. */
  readonly reference: string
  readonly note: RefundNote
  /** Judges the facts at the time of the refund's commit. */
  readonly judge: RefundJudge
}

/** Why no refund has started: its reference has one already, or the judge refused it. */
export type DeskRefusal = Exclude<RefundConflict, string>

/** Refunds and cancellations, as the API makes them. */
export interface EndedPayments {
  /** Days after its payment in which a payment may be refunded. */
  readonly refundDays: (payment: Transaction) => Promise<number>
  /** The facts that decide whether a store may refund a payment. */
  readonly refundCase: (
    store: Merchant,
    facts: RefundFacts & Pick<RefundCase, 'refundDays'>,
  ) => RefundCase
  /** Starts a refund, once for its reference. */
  readonly refund: (store: Merchant, refund: DeskRefund) => Promise<'begun' | DeskRefusal>
  /** True if a payment waits for its payer. */
  readonly mayCancel: (payment: Transaction) => boolean
  /** Ends a payment that waits for its payer; a charge at a bank is removed there first. */
  readonly cancel: (payment: Transaction) => Promise<Cancellation>
  /** Captures an authorized payment once, whole or in part. */
  readonly capture: (payment: Transaction, asked: AskedCapture) => Promise<EndResult>
  /** Releases an authorized payment, unless a capture came first. */
  readonly voidAuthorized: (payment: Transaction, orderedBy: string) => Promise<EndResult>
}

/** Copies of what a payer received. */
export interface PaymentCopies {
  /** The path of the slip that a boleto's bank draws; undefined without one. Calls no bank. */
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
   * Applies a decision to the current settings, which no other change can alter meanwhile. Returns
   * the differences, or the refusal; undefined if there is no such store.
   */
  readonly decide: <Refusal>(
    storeId: string,
    decision: SettingDecision<Refusal>,
    actor: StoreActor,
  ) => Promise<
    { readonly changed: StoreChange['settings'] } | { readonly refused: Refusal } | undefined
  >
  /** False if there is no such store, or if it does not meet the rotation's condition. */
  readonly rotateSecret: (
    storeId: string,
    secret: Secret<string>,
    rotation: Rotation,
  ) => Promise<boolean>
  readonly keysOf: (storeId: string) => Promise<ShownKeys>
}

/** The core's part of the operator's desk. The desk reads the rest in its own statements. */
export interface Desk {
  readonly payments: ShownPayments
  readonly changes: ChangedPayments
  readonly ends: EndedPayments
  readonly copies: PaymentCopies
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

export function endedPaymentsOf(deps: RefundDeps & EndAuthorizedDeps): EndedPayments {
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
    capture: (payment, asked) => capturePayment(deps, payment, asked),
    voidAuthorized: (payment, orderedBy) => voidPayment(deps, payment, orderedBy),
  }
}

export function copiesOf(
  deps: BankSlipPathDeps & { readonly methods: PaymentMethods },
): PaymentCopies {
  return {
    bankSlipPath: (payment) => bankSlipPath(deps, payment),
    payerFields: (payment, publicUrl) =>
      deps.methods.of(payment.paymentType).shown(payment, publicUrl),
  }
}
