import type { MinorUnits, PaymentType, RefundStatus, TransactionStatus } from '@cofre/contracts'
import type { PaymentDetails } from '@cofre/gateway'
import type { Inbox, InboxItem } from '../inbox/inbox.js'
import type { RecordedRequest } from '../request-log/recorded-request.js'
import type {
  SettledMethod,
  SettlementMode,
  SettlementModes,
} from '../settlement/settlement-mode.js'
import type { TestClock } from '../test-clock/test-clock.js'

// What a store's developers see and do in the sandbox: the port between the sandbox and the test panel. Every method takes
// the store's id and sees nothing of other stores. Times are epoch milliseconds by the sandbox's clock, amounts centavos.

/** Which transactions a list shows, newest first. */
export interface TransactionFilter {
  readonly status?: TransactionStatus
  readonly method?: PaymentType
  /** Created at or after, and before. */
  readonly fromMs?: number
  readonly untilMs?: number
  /** Part of the reference, the payer's e-mail or the description, in any case; or the whole transaction code. */
  readonly text?: string
  /** From 1. */
  readonly page: number
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** On all pages. */
  readonly found: number
  readonly page: number
  readonly pages: number
}

export interface TransactionSummary {
  /** Decimal text. */
  readonly code: string
  readonly reference: string
  readonly status: TransactionStatus
  readonly method: PaymentType
  /** Brand, `boleto`, `pix` or wallet. */
  readonly subType: string | undefined
  readonly amountMinor: MinorUnits
  readonly payerEmail: string
  readonly createdAtMs: number
  readonly statusChangedAtMs: number
}

/** One transaction with everything that happened to it. */
export interface TransactionReport extends TransactionSummary {
  readonly description: string
  /** With interest. */
  readonly chargedMinor: MinorUnits
  readonly installments: number
  readonly cardLastFour: string | undefined
  readonly payerDocument: string
  readonly notificationUrl: string
  readonly paymentDetails: PaymentDetails | undefined
  /** Names the transaction in the addresses that a payer opens: `/b/<id>`, `/q/<id>.png`, `/w/<id>`. */
  readonly publicId: string
  readonly paidAtMs: number | undefined
  readonly expiresAtMs: number | undefined
  /** Each status it came to, oldest first; the first is that of its creation. */
  readonly history: readonly { readonly status: TransactionStatus; readonly atMs: number }[]
  readonly refunds: readonly RefundReport[]
  readonly notifications: readonly NotificationReport[]
  /** Requests of the store about this transaction, oldest first. */
  readonly requests: readonly RecordedRequest[]
}

export interface RefundReport {
  /** Decimal text. */
  readonly id: string
  readonly status: RefundStatus
  readonly amountMinor: MinorUnits
  readonly reference: string | undefined
  readonly requestedAtMs: number
  readonly processedAtMs: number | undefined
}

export interface NotificationReport {
  readonly transactionCode: string
  /** From 1, in the order of the transaction's changes. */
  readonly position: number
  readonly kind: 'transaction' | 'refund'
  readonly status: TransactionStatus
  readonly url: string
  readonly createdAtMs: number
  /**
   * `waiting-for-search`: acknowledged, but a COMPLETE transaction must also be searched (spec
   * 6.1). `held`: the store has failed for long, and is sent one notification every interval until
   * it acknowledges one.
   */
  readonly state: 'waiting' | 'waiting-for-search' | 'held' | 'done'
  /** Undefined when it is done or held. */
  readonly nextAttemptAtMs: number | undefined
  /** Headers of the signature are made for each attempt and not kept. */
  readonly request: { readonly contentType: string; readonly body: string }
  readonly attempts: readonly AttemptReport[]
}

export interface AttemptReport {
  readonly atMs: number
  readonly statusCode: number | undefined
  readonly error: string | undefined
  readonly durationMs: number
  readonly responseExcerpt: string
}

/** One step of the integration, ticked when the sandbox has seen it. */
export const CHECKLIST_STEPS = [
  'card-paid',
  'card-declined',
  'card-saved-used',
  'boleto-created',
  'boleto-paid',
  'pix-created',
  'pix-paid',
  'wallet-paid',
  'installments-looked-up',
  'refund-processed',
  'refund-rejected',
  'notification-acknowledged',
  'search-after-notification',
  'error-handled',
] as const
export type ChecklistStep = (typeof CHECKLIST_STEPS)[number]

export interface Checklist {
  readonly steps: readonly { readonly step: ChecklistStep; readonly doneAtMs: number | undefined }[]
}

/** The two secrets that may be live during a rotation. */
export interface Credentials {
  readonly storeId: string
  readonly storeName: string
  /** Until when the secret before the current one still signs; undefined when there is none. */
  readonly previousUntilMs: number | undefined
  /** The configuration variable that fixes the secret: it cannot be rotated here then. */
  readonly fixedBy?: string | undefined
}

/** A store, and by which of its secrets somebody has signed in for it. */
export interface SignIn {
  readonly storeId: string
  /** Tells the secret from others, and nobody the secret. */
  readonly secretMark: string
}

/** A secret that was just drawn, shown this once. */
export interface NewSecret {
  readonly secret: string
  /** Until when the one before it still signs. */
  readonly previousUntilMs: number
}

/** The operator has fixed the store's secret; `variable` names the configuration that does. */
export class SecretFixedError extends Error {
  readonly variable: string

  constructor(variable: string) {
    super(`${variable} fixes this store's secret: change it there, or remove it to rotate`)
    this.name = 'SecretFixedError'
    this.variable = variable
  }
}

export type StatusChange = 'changed' | 'not-found' | 'not-allowed'

export interface TestDesk {
  readonly clock: TestClock
  /** The sign-in of these credentials; undefined when they are wrong. Compares in constant time. */
  signIn(storeId: string, secret: string): Promise<SignIn | undefined>
  /** Whether the secret of a sign-in still signs for its store, and the store is enabled. */
  isSignedIn(signIn: SignIn): Promise<boolean>
  credentials(storeId: string): Promise<Credentials>
  /**
   * Draws a new secret for who has the current one, which signs for another 24 hours of the machine's time. Undefined for any
   * other secret, one that still signs after a rotation too: it may be known to whom the rotation is to keep out.
   * @throws SecretFixedError when the operator has fixed the secret: see `Credentials.fixedBy`
   */
  rotateSecret(storeId: string, currentSecret: string): Promise<NewSecret | undefined>

  listTransactions(storeId: string, filter: TransactionFilter): Promise<Page<TransactionSummary>>
  findTransaction(storeId: string, code: string): Promise<TransactionReport | undefined>
  /** Reports a status as the bank would, and notifies. The status it already has notifies again. */
  changeStatus(storeId: string, code: string, to: TransactionStatus): Promise<StatusChange>
  /** Ends a refund that is PROCESSING, and notifies. */
  finishRefund(
    storeId: string,
    refundId: string,
    to: 'PROCESSED' | 'REJECTED',
  ): Promise<StatusChange>

  listNotifications(storeId: string, page: number): Promise<Page<NotificationReport>>
  /** False when there is no such notification. */
  resendNotification(storeId: string, code: string, position: number): Promise<boolean>

  listRequests(
    storeId: string,
    filter: { readonly failedOnly: boolean; readonly page: number },
  ): Promise<Page<RecordedRequest>>
  findRequest(storeId: string, id: number): Promise<RecordedRequest | undefined>

  inbox(storeId: string): Promise<Inbox>
  setInboxAnswer(storeId: string, statusCode: number): Promise<void>
  emptyInbox(storeId: string): Promise<void>
  /** Takes a notification at an inbox path; undefined when nobody has that path. */
  receive(
    path: string,
    notification: Pick<InboxItem, 'headers' | 'body'>,
  ): Promise<{ readonly statusCode: number } | undefined>

  settlementModes(storeId: string): Promise<SettlementModes>
  setSettlementMode(storeId: string, method: SettledMethod, mode: SettlementMode): Promise<void>

  checklist(storeId: string): Promise<Checklist>
  /** A text that changes when anything that the desk shows of the store has changed. */
  version(storeId: string): Promise<string>
  /** Deletes the store's transactions, refunds, notifications, requests and inbox. Credentials, modes and the clock stay. */
  reset(storeId: string): Promise<void>
}
