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
import { type PaymentDetails, boletoOf, cardOf } from './payment-details.js'

/** A transaction. All payments are in BRL, in Brazil. */
export interface Transaction {
  readonly code: TransactionCode
  readonly merchantId: string
  /** The store's own identifier; used once per store. */
  readonly reference: string
  readonly status: TransactionStatus
  /** The status that the payment method's answer gave it; undefined before that. */
  readonly firstStatus: TransactionStatus | undefined
  /** The payment method was, or is about to be, asked and has not answered with a known outcome. */
  readonly open: boolean
  readonly paymentType: PaymentType
  /** Brand, `boleto`, `pix` or wallet. */
  readonly subType: string | undefined
  /** What the shop sent: without interest. */
  readonly amountMinor: MinorUnits
  /** What the payer pays: with interest. */
  readonly chargedMinor: MinorUnits
  readonly installments: number
  readonly payerEmail: string
  /** CPF or CNPJ, without punctuation. */
  readonly payerDocument: string
  /** The cart in a line. */
  readonly description: string
  readonly notificationUrl: string
  /** The card this transaction saved. */
  readonly savedCard: SavedCardSummary | undefined
  readonly cardBin: string | undefined
  readonly cardLastFour: string | undefined
  /** Names the transaction in addresses that a payer opens; not guessable. */
  readonly publicId: string
  /** Undefined until the payment method has answered, and for cards of which it tells nothing. */
  readonly paymentDetails: PaymentDetails | undefined
  /** JSON of the request, without token or card. */
  readonly requestJson: string
  /** See order-fingerprint.ts. Undefined where release 0.2 or a link's payer made it, or erased. */
  readonly orderFingerprint: string | undefined
  readonly createdAtMs: number
  readonly paidAtMs: number | undefined
  /** When an unpaid boleto, PIX or wallet lapses. */
  readonly expiresAtMs: number | undefined
  /** When a worker asks after it, if it is still open then; by the machine's clock. */
  readonly nextAskAtMs: number | undefined
  /**
   * When a worker activates the card that it may have saved, by the machine's clock; undefined when
   * no card waits.
   */
  readonly activateAtMs: number | undefined
  readonly statusChangedAtMs: number
  /** A search has decided that it stands, though its request was not answered. */
  readonly stands?: 1 | undefined
  /** An example of `cofre dev`: nobody is notified of it. */
  readonly example?: 1 | undefined
}

/** What the payment method's answer changes in a transaction. */
export interface Settlement
  extends
    Pick<Transaction, 'status' | 'open'>,
    Partial<
      Pick<
        Transaction,
        'subType' | 'savedCard' | 'cardBin' | 'cardLastFour' | 'paymentDetails' | 'expiresAtMs'
      >
    > {
  /** Epoch milliseconds. */
  readonly atMs: number
  /** When the store is notified of it; at once when absent. Epoch milliseconds. */
  readonly notifyAtMs?: number
}

/** What the vault tells of a completed transaction's card when the answer to its order was lost. */
export type LearntCard = Pick<
  Transaction,
  'subType' | 'savedCard' | 'cardBin' | 'cardLastFour' | 'paymentDetails'
>

/** Where a transaction is to go. */
export interface StatusMove {
  readonly to: TransactionStatus
  /** Epoch milliseconds. */
  readonly atMs: number
  /** When a completed one was paid, as its bank says; `atMs` when absent. */
  readonly paidAtMs?: number | undefined
  /**
   * Until when the caller of a move to COMPLETE activates the card that the transaction may have
   * saved, by the machine's clock; then a worker does. A worker does at once when absent.
   */
  readonly activateAtMs?: number
  /** Where the provider's word takes it back. */
  readonly by?: BackwardStep
  /** Why its bank gave the money back by itself: the store is told. */
  readonly refundNature?: MedNature | undefined
}

/** Why an intent was not inserted. */
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

/** An intent that was inserted. */
export interface InsertedIntent {
  /** BINs of which the store's shoppers had too many declines: the vault is to charge none. */
  readonly refusedBins: readonly string[]
}

/** What a card authorization makes of a transaction (specification, decision 2 of section 10). */
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
 * Whether an order may still be withdrawn, as if its request had never come: the request was not
 * answered, and no search has decided that the order stands. Until then it is shown nowhere.
 */
export function mayBeWithdrawn({
  open,
  status,
  stands,
}: Pick<Transaction, 'open' | 'status' | 'stands'>): boolean {
  return open && status === 'PENDING' && stands === undefined
}

/** Statuses of a payment of which nobody knows yet what becomes of it. */
const UNDECIDED_STATUSES: readonly TransactionStatus[] = ['PENDING', 'UNDER-REVIEW']

export function isUndecided({ status }: Pick<Transaction, 'status'>): boolean {
  return UNDECIDED_STATUSES.includes(status)
}

/** Whether a card waits for its holder to be authenticated by its bank. */
export function awaitsAuthentication(transaction: Transaction): boolean {
  return cardOf(transaction)?.authenticationUntilMs !== undefined && isUndecided(transaction)
}

/** Whether the bank of a boleto has not given anything yet that it can be paid with. */
export function isBeingIssued(
  transaction: Pick<Transaction, 'paymentDetails' | 'status'>,
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

/** Whether the payer's data has been erased. */
export function isPayerErased({ payerDocument }: Transaction): boolean {
  return payerDocument === ''
}

/** Whether its money was taken back: nothing else cancels what has been paid. */
export function isCaptureFailed({ status, paidAtMs }: Transaction): boolean {
  return status === 'CANCELLED' && paidAtMs !== undefined
}

/**
 * A transaction's number: at most 15 digits, ordered by time, not guessable. A string on most of
 * the wire.
 */
export type TransactionCode = Brand<number, 'TransactionCode'>

export const transactionCodeSchema = z
  .string()
  .regex(TRANSACTION_CODE)
  .transform((digits) => Number(digits) as TransactionCode)

const EPOCH_MS = Date.UTC(2025, 0, 1)
/**
 * Fine enough that new rows lie together at a table's end, whatever the load: fewer pages change
 * with each commit.
 */
const STEP_MS = 10
/** Codes in one step. Eleven digits of steps last until 2056. */
const CODES_PER_STEP = 10_000

/**
 * Draws a code; two draws in one step may collide, so the store refuses a taken one and the caller
 * draws again.
 * @param randomBelow - A uniform integer from 0 up to, not including, its argument.
 */
export function drawTransactionCode(
  nowMs: number,
  randomBelow: (limit: number) => number,
): TransactionCode {
  return (firstCodeAt(nowMs) + randomBelow(CODES_PER_STEP)) as TransactionCode
}

/** No code that was drawn before the time is as high; those drawn from then on are. */
export function firstCodeAt(timeMs: number): number {
  return Math.floor((timeMs - EPOCH_MS) / STEP_MS) * CODES_PER_STEP
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

/** Whether {@link drawPublicId} could have drawn the text. What cannot be one is not looked for. */
export function isPublicId(text: string): boolean {
  return text.length === PUBLIC_ID_LENGTH && /^[A-Za-z0-9]+$/.test(text)
}

/** Draws a name for addresses that a payer opens. */
export function drawPublicId(randomBelow: (limit: number) => number): string {
  return drawText(PUBLIC_ID_ALPHABET, PUBLIC_ID_LENGTH, randomBelow)
}

/**
 * How long a request may take to be answered before a worker asks after its intent; longer than any
 * time-out on the way.
 */
export const OPEN_INTENT_PATIENCE_MS: number = 2 * MINUTE_MS
/** Between two questions about one that nobody answers for long. */
export const OPEN_INTENT_PAUSE_MAX_MS: number = HOUR_MS
