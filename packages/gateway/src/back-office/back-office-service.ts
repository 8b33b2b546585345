import { createHash, timingSafeEqual } from 'node:crypto'
import { type Clock, type Environment, Secret, type TransactionStatus } from '@cofre/contracts'
import {
  type ChangeResult,
  type ReportResult,
  type TransactionDetails,
  historyOf,
} from '../model/back-office/back-office.js'
import { type PageParts, type PaymentParts, partsOf } from '../model/back-office/payment-part.js'
import { type Merchant, PREVIOUS_SECRET_LIVES_MS, liveSecrets } from '../model/merchant/merchant.js'
import type { Notification } from '../model/notification/notification.js'
import type { Refund, RefundId, RefundOutcome } from '../model/refund/refund.js'
import { payerNameOf } from '../model/transaction/stored-request.js'
import {
  type Transaction,
  type TransactionCode,
  transactionCodeSchema,
} from '../model/transaction/transaction.js'
import { type BankSlipPathDeps, bankSlipPath } from '../payment/boleto-slip-service.js'
import type { storeSettings } from './store-settings-service.js'
import { type StatusReportDeps, recordStatus } from '../payment/status-report-service.js'
import { type CopyNotificationDeps, copyNotification } from '../payment/notification-service.js'
import type { InstallmentTerms } from '../model/card/installment-plan.js'
import type {
  BackOfficeStore,
  MerchantStore,
  NotificationStore,
  RefundStore,
  TransactionStore,
} from '../payment/ports.js'
import type { PaymentMethods } from '../method/payment-method.js'

/**
 * What people see and do in one environment. Codes and refund ids are decimal text; a text that
 * cannot be one is not found.
 */
export type BackOffice = ReturnType<typeof storeAccount> &
  ReturnType<typeof storeSettings> &
  ReturnType<typeof shownOf> &
  ReturnType<typeof copiesOf> &
  ReturnType<typeof changesBy> &
  ReturnType<typeof reportsTo>

export interface AccountOfDeps {
  readonly machineClock: Clock
  readonly installmentTerms: InstallmentTerms
  readonly merchants: MerchantStore
}

/** A store and its secrets. */
export function storeAccount(deps: AccountOfDeps) {
  const { merchants, machineClock } = deps
  return {
    findMerchant: (merchantId: string) => merchants.find(merchantId),

    /** The enabled store with these credentials; undefined if wrong. Compares in constant time. */
    signIn: (merchantId: string, secret: string) => signIn(deps, merchantId, secret),

    /**
     * Gives a store a new secret, in the panel's name. The old one signs for another 24 hours of
     * the machine's time.
     * @param replaces - Only of an enabled store of which this is the current secret.
     * @returns until when, in epoch milliseconds; undefined when there is no such store
     */
    async rotateSecret(merchantId: string, secret: Secret<string>, replaces?: Secret<string>) {
      const previousUntilMs = machineClock.now() + PREVIOUS_SECRET_LIVES_MS
      const rotation = { previousUntilMs, actor: 'panel', replaces } as const
      const isFound = await merchants.rotateSecret(merchantId, secret, rotation)
      return isFound ? previousUntilMs : undefined
    },

    /** Of stores that have no terms of their own. */
    usualTerms: () => deps.installmentTerms,
  }
}

export interface ShownOfDeps extends DetailsOfDeps {
  readonly transactions: TransactionStore
}

/** What people see of a store. */
export function shownOf(deps: ShownOfDeps) {
  const { backOffice: store } = deps
  return {
    listNotifications: store.listNotifications,
    notificationsAfter: store.notificationsAfter,
    milestones: store.milestones,
    dueBetween: store.dueBetween,
    revision: store.revision,

    async findTransaction(merchantId: string, code: string) {
      const transaction = await findOwn(deps, merchantId, code)
      return transaction && (await detailsOf(deps, transaction))
    },

    /** The transaction that a refund of the store belongs to. */
    async transactionOfRefund(merchantId: string, refundId: string) {
      const refund = await findRefund(deps, merchantId, refundId)
      return refund && String(refund.transactionCode)
    },
  }
}

export type CopiesOfDeps = BankSlipPathDeps & CopyNotificationDeps

/** What a payer or a shop was given, once more. */
export function copiesOf(deps: CopiesOfDeps) {
  return {
    copyNotification: (merchant: Merchant, notification: Notification) =>
      copyNotification(deps, merchant, notification),

    /** Where a boleto's slip is that its bank draws; undefined without. Asks no bank. */
    bankSlipPath: (transaction: Transaction) => bankSlipPath(deps, transaction),
  }
}

export interface BackOfficeDeps {
  readonly environment: Environment
  readonly clock: Clock
  readonly machineClock: Clock
  readonly methods: PaymentMethods
  readonly transactions: TransactionStore
  readonly refunds: RefundStore
  readonly notifications: NotificationStore
  readonly backOffice: BackOfficeStore
}

/** What people change. */
export function changesBy(deps: BackOfficeDeps) {
  const { backOffice: store, clock, notifications, refunds } = deps
  return {
    /** Changes a status where allowed, and notifies. The current status is notified again. */
    async changeStatus(merchantId: string, code: string, to: TransactionStatus) {
      const transaction = await findOwn(deps, merchantId, code)
      return transaction === undefined ? 'not-found' : await changeStatus(deps, transaction, to)
    },

    /** Ends a refund that is PROCESSING, and notifies. */
    async finishRefund(
      merchantId: string,
      refundId: string,
      to: RefundOutcome,
    ): Promise<ChangeResult> {
      const refund = await findRefund(deps, merchantId, refundId)
      if (refund === undefined) return 'not-found'
      return (await refunds.finish(refund.id, to, clock.now())) ? 'changed' : 'not-allowed'
    },

    /** Makes a notification due again; false when there is none. */
    async resendNotification(merchantId: string, code: string, position: number) {
      const found = await findOwn(deps, merchantId, code)
      return found !== undefined && notifications.resend(found.code, position, clock.now())
    },

    /**
     * Deletes answered transactions with all that belongs to them.
     * @throws Error outside the sandbox
     */
    async deleteTestData(merchantId: string): Promise<void> {
      if (deps.environment !== 'sandbox') throw new Error('only test data may be deleted')
      await store.deleteTransactions(merchantId)
    },
  }
}

export interface ReportsToDeps extends StatusReportDeps {
  readonly refunds: RefundStore
}

/** What a bank reports, on any store's payments. */
export function reportsTo(deps: ReportsToDeps) {
  return {
    /** On a transaction, taken once its creation was answered. */
    report: (code: string, to: TransactionStatus) =>
      report(deps, Number(code) as TransactionCode, to),

    async reportRefund(refundId: string, to: RefundOutcome): Promise<void> {
      await deps.refunds.finish(Number(refundId) as RefundId, to, deps.clock.now())
    },
  }
}

interface SignInDeps {
  readonly machineClock: Clock
  readonly merchants: MerchantStore
}

/** An unknown store takes as long as a wrong secret. */
async function signIn(
  { merchants, machineClock }: SignInDeps,
  merchantId: string,
  secret: string,
): Promise<Merchant | undefined> {
  // PostgreSQL takes no NUL in a text.
  const merchant = merchantId.includes('\0') ? undefined : await merchants.find(merchantId)
  const secrets =
    merchant === undefined ? [new Secret('')] : liveSecrets(merchant, machineClock.now())
  const isRight = secrets.filter((live) => isSameText(live.reveal(), secret)).length > 0
  return merchant?.enabled === true && isRight ? merchant : undefined
}

/** Digests have one length, whatever the texts' lengths are. */
function isSameText(expected: string, given: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(expected), digest(given))
}

/** A store's transaction; undefined when it has none of that code. */
export async function findOwn(
  { transactions }: { readonly transactions: TransactionStore },
  merchantId: string,
  codeText: string,
): Promise<Transaction | undefined> {
  const code = transactionCodeSchema.safeParse(codeText)
  return code.success ? await transactions.find(merchantId, code.data) : undefined
}

export interface DetailsOfDeps {
  readonly refunds: RefundStore
  readonly backOffice: BackOfficeStore
  readonly pageParts: PaymentParts<PageParts>
}

/** A transaction with everything that happened to it. */
export async function detailsOf(
  { backOffice, pageParts, refunds }: DetailsOfDeps,
  transaction: Transaction,
): Promise<TransactionDetails> {
  const { code } = transaction
  const [refundsByCode, refundNotes, notifications, addedTo] = await Promise.all([
    refunds.findOf([code]),
    refunds.notesOf(code),
    backOffice.notificationsOf(code),
    partsOf(pageParts, [transaction]),
  ])
  const notified = notifications.map(({ notification }) => notification)
  return {
    transaction,
    payerName: payerNameOf(transaction),
    history: historyOf(transaction, notified),
    refunds: refundsByCode.get(code) ?? [],
    refundNotes,
    notifications,
    ...addedTo(transaction),
  }
}

interface ChangeStatusDeps extends StatusReportDeps {
  readonly backOffice: BackOfficeStore
}

async function changeStatus(
  deps: ChangeStatusDeps,
  { code, status }: Transaction,
  to: TransactionStatus,
): Promise<ChangeResult> {
  const isChanged =
    status === to
      ? await deps.backOffice.notifyAgain(code, to, deps.clock.now())
      : (await recordStatus(deps, code, to)) !== undefined
  return isChanged ? 'changed' : 'not-allowed'
}

async function report(
  deps: StatusReportDeps,
  code: TransactionCode,
  to: TransactionStatus,
): Promise<ReportResult> {
  const transaction = await deps.transactions.findByCode(code)
  if (transaction === undefined) return 'not-found'
  if (transaction.open) return 'open'
  return (await recordStatus(deps, code, to)) === undefined ? 'not-allowed' : 'changed'
}

async function findRefund(
  { backOffice }: { readonly backOffice: BackOfficeStore },
  merchantId: string,
  refundId: string,
): Promise<Refund | undefined> {
  const id = transactionCodeSchema.safeParse(refundId)
  return id.success
    ? await backOffice.findRefund(merchantId, id.data as number as RefundId)
    : undefined
}
