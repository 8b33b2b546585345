import { DAY_MS, HOUR_MS, MINUTE_MS, type MinorUnits, SECOND_MS } from '@cofre/contracts'
import {
  type BankCharge,
  type BankPayment,
  type BoletoDetails,
  type LateSweep,
  type PaymentPurpose,
  type SweepKind,
  type Transaction,
  type TransactionCode,
  boletoEndMs,
} from '@cofre/gateway/method'
import type { BoletoPayment, PixBankPayment } from '@cofre/provider-kit/bank'

/** What a bank is asked about a charge by. */
export type ChargeReference = Pick<
  BankCharge,
  'accountId' | 'method' | 'name' | 'dueDate' | 'bankId'
>

/** What of a charge is written with its intent. */
export interface NewBankCharge extends Omit<ChargeReference, 'bankId'> {
  readonly askedAtMs: number
}

/** What a bank has issued late, held against what it was asked for. */
export interface IssuedBoleto extends Pick<BankCharge, 'bankId' | 'ourNumber'> {
  readonly codes: Pick<BoletoDetails, 'barcode' | 'digitableLine' | 'pixCode'>
}

/** Money that a bank or its file reports. What is not said to have come otherwise is a PIX. */
export type FoundPayment = PixBankPayment & Partial<Pick<BoletoPayment, 'way'>>

/** A charge that a worker looks at. Times by the machine's clock. */
export interface BankLook extends BankCharge {
  /** Looks before this one. */
  readonly looks: number
  /** When the first of those began that the bank has not answered; undefined after an answer. */
  readonly unansweredSinceMs: number | undefined
  /** When the next look is planned once the bank has answered this one. */
  readonly plannedAtMs: number
  /** When the next look is made as long as it has not. */
  readonly repeatedAtMs: number
}

/** What became of a look. */
export type BankLookEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'unanswered' }
  /** The bank was not to be asked at present: that is no silence of its. */
  | { readonly kind: 'put-off'; readonly untilMs: number }

/**
 * What was paid so many days ago is listed once more each time: people may send it back at the bank
 * for 90 days, and a list is chosen by the time of the payment.
 */
export const LATE_SWEEP_DAYS = {
  'after-7-days': 7,
  'after-30-days': 30,
  'after-90-days': 90,
} as const satisfies Record<LateSweep, number>

export function isLate(kind: SweepKind): kind is LateSweep {
  return kind in LATE_SWEEP_DAYS
}

/** What of an account a worker reads, beside single charges. Times by the machine's clock. */
export interface BankSweep {
  readonly accountId: string
  readonly kind: SweepKind
  readonly fromMs: number
  readonly toMs: number
  /** Those before it are read. */
  readonly firstPage: number
}

/** Money that goes back to its payer: it was not the order's. */
export interface Surplus extends Pick<BankCharge, 'accountId' | 'method'> {
  readonly code: TransactionCode
  readonly endToEndId: string
  readonly amountMinor: MinorUnits
}

/** What a payment is for (provider design, decision 7). A status never goes backwards for one. */
export function purposeOf(
  { status, amountMinor }: Pick<Transaction, 'status' | 'amountMinor'>,
  earlier: readonly Pick<BankPayment, 'purpose'>[],
  { amountMinor: paidMinor, settlesMinor = paidMinor, way }: Omit<FoundPayment, 'endToEndId'>,
): PaymentPurpose {
  if (earlier.some(({ purpose }) => purpose === 'order')) return 'second-payment'
  // What people set to COMPLETE by hand is paid for by the money that comes.
  if (status !== 'PENDING' && status !== 'COMPLETE') return 'after-the-end'
  // What the merchant has taken in elsewhere, the merchant has counted.
  return settlesMinor === amountMinor || way === 'elsewhere' ? 'order' : 'other-amount'
}

/** A payment at the last moment may be known a little later. */
const END_PATIENCE_MS = 5 * MINUTE_MS
/** Between two looks at one charge, however many notices there are. */
export const LOOK_PAUSE_MS: number = 10 * SECOND_MS
/** Longer than a request may be on its way: a bank that shows no boleto then got none. */
export const ASK_AGAIN_AFTER_MS: number = MINUTE_MS
/** Longer than a bank has to answer. */
export const LOOK_LEASE_MS: number = MINUTE_MS
export const LOOK_PAUSE_MAX_MS: number = HOUR_MS

/** When a charge that nobody paid has ended: only a read after that may say so. */
export function endOf({
  bankExpiresAtMs = Infinity,
  dueDate,
}: Pick<BankCharge, 'bankExpiresAtMs' | 'dueDate'>): number {
  return dueDate === undefined ? bankExpiresAtMs + END_PATIENCE_MS : boletoEndMs(dueDate)
}

export const SWEEP_PAUSE_MS: number = 30 * SECOND_MS
/** Between two readings of the notices that a bank has sent. */
export const NOTICES_PAUSE_MS: number = HOUR_MS
/** Older notices are of no use: meanwhile each boleto was looked at. */
export const NOTICES_PERIOD_MS: number = 7 * DAY_MS
export const SWEEP_OVERLAP_MS: number = 10 * MINUTE_MS
export const DAILY_SWEEP_DAYS = 3
/** Of a list, before a pause: what is new is found meanwhile. */
export function pagesAtOnce(kind: SweepKind): number {
  if (kind === 'recent') return Infinity
  return isLate(kind) ? 1 : 10
}
