import {
  type AuthorizationOutcome,
  type BackwardStep,
  type Brand,
  HOUR_MS,
  MINUTE_MS,
  type MedNature,
  type MinorUnits,
  type PaymentType,
  type SavedCardSummary,
  TRANSACTION_CODE,
  type TransactionStatus,
  drawText,
} from '@cofre/contracts'
import { z } from 'zod'
import { type Capture, isAuthorized } from './capture.js'
import { type PaymentDetails, boletoOf, cardOf } from './payment-details.js'

/** A transaction. All payments are in BRL, in Brazil. */
export interface Transaction {
  readonly code: TransactionCode
  readonly merchantId: string
  /** The store's own identifier; used once per store. */
  readonly reference: string
  readonly status: TransactionStatus
  /** The status from the payment method's answer; undefined before that. */
  readonly firstStatus: TransactionStatus | undefined
  /** True if the payment method has been, or will be, called, and no known outcome was answered. */
  readonly open: boolean
  readonly paymentType: PaymentType
  /** Brand, `boleto`, `pix` or wallet. */
  readonly subType: string | undefined
  /** The amount that the shop sent, without interest. */
  readonly amountMinor: MinorUnits
  /** The amount that the payer pays, with interest. */
  readonly chargedMinor: MinorUnits
  readonly installments: number
  readonly payerEmail: string
  /** CPF or CNPJ, without punctuation. */
  readonly payerDocument: string
  /** The cart in a line. */
  readonly description: string
  readonly notificationUrl: string
  /** The card that this transaction saved. */
  readonly savedCard: SavedCardSummary | undefined
  readonly cardBin: string | undefined
  readonly cardLastFour: string | undefined
  /** Names the transaction in addresses that a payer opens; not guessable. */
  readonly publicId: string
  /** Undefined until the payment method has answered, and for a card without details. */
  readonly paymentDetails: PaymentDetails | undefined
  /** JSON of the request, without token or card. */
  readonly requestJson: string
  /**
   * See order-fingerprint.ts. Undefined if release 0.2 or a link's payer made it, or once erased.
   */
  readonly orderFingerprint: string | undefined
  readonly createdAtMs: number
  readonly paidAtMs: number | undefined
  /** When an unpaid boleto, PIX or wallet lapses. */
  readonly expiresAtMs: number | undefined
  /** When a worker checks it, if it is still open then; by the machine's clock. */
  readonly nextAskAtMs: number | undefined
  /**
   * When a worker activates the card that it may have saved, by the machine's clock; undefined if
   * no card waits.
   */
  readonly activateAtMs: number | undefined
  readonly statusChangedAtMs: number
  /** Undefined unless a card was authorized first, to be captured later. */
  readonly capture?: Capture | undefined
  /** Set once a search has made it permanent, although its request was not answered. */
  readonly permanent?: 1 | undefined
  /** Set for an example of `cofre dev`: no store is notified of it. */
  readonly example?: 1 | undefined
}

/** The changes of a transaction by the payment method's answer. */
export interface MethodAnswer
  extends
    Pick<Transaction, 'status' | 'open'>,
    Partial<
      Pick<
        Transaction,
        | 'subType'
        | 'savedCard'
        | 'cardBin'
        | 'cardLastFour'
        | 'paymentDetails'
        | 'expiresAtMs'
        | 'capture'
      >
    > {
  /** Epoch milliseconds. */
  readonly atMs: number
  /** When the store is notified of it; immediately when absent. Epoch milliseconds. */
  readonly notifyAtMs?: number
}

/** The vault's facts about a completed transaction's card, if the answer to its order was lost. */
export type LearntCard = Pick<
  Transaction,
  'subType' | 'savedCard' | 'cardBin' | 'cardLastFour' | 'paymentDetails'
>

/** A move of a transaction to another status. */
export interface StatusMove {
  readonly to: TransactionStatus
  /** Epoch milliseconds. */
  readonly atMs: number
  /** When a completed one was paid, as its bank reports; `atMs` when absent. */
  readonly paidAtMs?: number | undefined
  /**
   * Until when the caller of a move to COMPLETE activates a card that the transaction may have
   * saved. Afterwards, or immediately when absent, a worker does. By the machine's clock.
   */
  readonly activateAtMs?: number
  /** The provider's report that moves it back. */
  readonly by?: BackwardStep
  /** The end of its authorization: an authorized payment makes no other move. */
  readonly capture?: Capture
  /** Why its bank returned the money by itself: the store is notified of it. */
  readonly refundNature?: MedNature | undefined
}

export type IntentConflict =
  | 'nonce_used'
  | 'link_try_ended'
  | 'reference_used'
  | 'code_taken'
  | 'limit_exceeded'
  | 'payer_blocked'
  | 'payer_blocked_by_provider'
  | 'declined_payer'
  | 'declined_address'

export interface InsertedIntent {
  /** BINs with too many declines of the store's shoppers: the vault must charge none of them. */
  readonly refusedBins: readonly string[]
}

/** The status after a card authorization (specification, decision 2 of section 10). */
export function statusOfOutcome(outcome: AuthorizationOutcome): TransactionStatus {
  switch (outcome) {
    case 'approved':
      return 'COMPLETE'
    case 'declined':
      return 'CANCELLED'
    case 'pending':
      return 'PENDING'
    case 'review':
    case 'unknown':
      return 'UNDER-REVIEW'
  }
}

/**
 * True if an order may still be withdrawn, as if its request had never come. The request was not
 * answered, and no search has made the order permanent. Until then no interface shows it.
 */
export function mayBeWithdrawn({
  open,
  status,
  permanent,
}: Pick<Transaction, 'open' | 'status' | 'permanent'>): boolean {
  return open && status === 'PENDING' && permanent === undefined
}

/** Statuses of a payment whose outcome is not known yet, and of one that is authorized. */
export const UNDECIDED_STATUSES: readonly TransactionStatus[] = ['PENDING', 'UNDER-REVIEW']

export function isUndecided(transaction: Pick<Transaction, 'status' | 'capture'>): boolean {
  return UNDECIDED_STATUSES.includes(transaction.status) && !isAuthorized(transaction)
}

/** True if a card waits for the bank to authenticate its holder. */
export function awaitsAuthentication(transaction: Transaction): boolean {
  return cardOf(transaction)?.authenticationUntilMs !== undefined && isUndecided(transaction)
}

/** True if the bank of a boleto has not supplied anything yet that it can be paid with. */
export function isBeingIssued(
  transaction: Pick<Transaction, 'paymentDetails' | 'status' | 'capture'>,
): boolean {
  const boleto = boletoOf(transaction)
  if (boleto === undefined || !isUndecided(transaction)) return false
  const { barcode, digitableLine, pixCode } = boleto
  return barcode === undefined && digitableLine === undefined && pixCode === undefined
}

/** Statuses in which money has arrived. */
export const PAID_STATUSES: readonly TransactionStatus[] = ['COMPLETE', 'REFUNDED', 'CHARGEBACK']

export function hasBeenPaid({ status }: Transaction): boolean {
  return PAID_STATUSES.includes(status)
}

/** True if the payer's data has been erased. */
export function isPayerErased({ payerDocument }: Transaction): boolean {
  return payerDocument === ''
}

/** True if its payment was reversed: nothing else cancels a paid transaction. */
export function isCaptureFailed({ status, paidAtMs }: Transaction): boolean {
  return status === 'CANCELLED' && paidAtMs !== undefined
}

/**
 * A transaction's number: at most 15 digits, ordered by time, not guessable. Most
 * interfaces send it as a string.
 */
export type TransactionCode = Brand<number, 'TransactionCode'>

export const transactionCodeSchema = z
  .string()
  .regex(TRANSACTION_CODE)
  .transform((digits) => Number(digits) as TransactionCode)

const EPOCH_MS = Date.UTC(2025, 0, 1)
/**
 * Small, so that new rows are together at a table's end under any load: fewer pages change with
 * each commit.
 */
const STEP_MS = 10
/** Codes in one step. Eleven digits of steps last until 2056. */
const CODES_PER_STEP = 10_000

/**
 * Draws a code. Two draws in one step may collide, so the store refuses a taken code and the caller
 * draws again.
 * @param randomBelow - A uniform integer from 0 up to, not including, its argument.
 */
export function drawTransactionCode(
  nowMs: number,
  randomBelow: (limit: number) => number,
): TransactionCode {
  return (firstCodeAt(nowMs) + randomBelow(CODES_PER_STEP)) as TransactionCode
}

/** Greater than all codes of earlier steps, and no greater than those drawn from the time on. */
export function firstCodeAt(timeMs: number): number {
  return Math.floor((timeMs - EPOCH_MS) / STEP_MS) * CODES_PER_STEP
}

/** A code that is higher than all that were drawn before the time. */
export function codeAfter(timeMs: number): number {
  return firstCodeAt(timeMs + STEP_MS - 1)
}

/** When a code was drawn, to the hundredth of a second. */
export function timeOfCode(code: number): number {
  return Math.floor(code / CODES_PER_STEP) * STEP_MS + EPOCH_MS
}

const PUBLIC_ID_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/**
 * 95 bits; short, because an address that holds it has at most 64 characters (specification,
 * section 2.3).
 */
export const PUBLIC_ID_LENGTH = 16

/** True if {@link drawPublicId} could have drawn the text. Other texts are not looked up. */
export function isPublicId(text: string): boolean {
  return text.length === PUBLIC_ID_LENGTH && /^[A-Za-z0-9]+$/.test(text)
}

/** Draws a name for addresses that a payer opens. */
export function drawPublicId(randomBelow: (limit: number) => number): string {
  return drawText(PUBLIC_ID_ALPHABET, PUBLIC_ID_LENGTH, randomBelow)
}

/**
 * How long a request may go unanswered before a worker finishes its intent; longer than any
 * time-out on the way.
 */
export const OPEN_INTENT_CHECK_AFTER_MS: number = 2 * MINUTE_MS
/** The longest pause between queries about an intent that long remains unanswered. */
export const OPEN_INTENT_PAUSE_MAX_MS: number = HOUR_MS
