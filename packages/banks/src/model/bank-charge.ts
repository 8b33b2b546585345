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

/** The fields that identify a charge in a request to its bank. */
export type ChargeReference = Pick<
  BankCharge,
  'accountId' | 'method' | 'name' | 'dueDate' | 'bankId'
>

/** The part of a charge that is written with its intent. */
export interface NewBankCharge extends Omit<ChargeReference, 'bankId'> {
  readonly askedAtMs: number
}

/** A boleto that its bank issued late, checked against the request. */
export interface IssuedBoleto extends Pick<BankCharge, 'bankId' | 'ourNumber'> {
  readonly codes: Pick<BoletoDetails, 'barcode' | 'digitableLine' | 'pixCode'>
}

/** Money that a bank or its file reports; a PIX unless another way is stated. */
export type FoundPayment = PixBankPayment & Partial<Pick<BoletoPayment, 'way'>>

/** A charge that a worker reads at its bank. Times are by the machine's clock. */
export interface ChargeRead extends BankCharge {
  /** The number of earlier looks. */
  readonly looks: number
  /** The start of the first look without an answer; undefined after an answer. */
  readonly unansweredSinceMs: number | undefined
  /** The time of the next look if the bank answers this one. */
  readonly plannedAtMs: number
  /** The time of the next look if the bank does not answer this one. */
  readonly repeatedAtMs: number
}

/** The result of a look. */
export type ChargeReadEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'unanswered' }
  /** The bank was not to be asked at present, so it does not count as silent. */
  | { readonly kind: 'put-off'; readonly untilMs: number }

/**
 * Payments of these ages are listed once more: a person may send a payment back at the bank for 90
 * days, and a list is selected by the time of payment.
 */
export const LATE_SWEEP_DAYS = {
  'after-7-days': 7,
  'after-30-days': 30,
  'after-90-days': 90,
} as const satisfies Record<LateSweep, number>

export function isLate(kind: SweepKind): kind is LateSweep {
  return kind in LATE_SWEEP_DAYS
}

/**
 * A list of an account that a worker reads, beside single charges. Times are by the machine's
 * clock.
 */
export interface BankSweep {
  readonly accountId: string
  readonly kind: SweepKind
  readonly fromMs: number
  readonly toMs: number
  /** The pages before it are read already. */
  readonly firstPage: number
}

/** Money that goes back to its payer, because it is not the order's. */
export interface Surplus extends Pick<BankCharge, 'accountId' | 'method'> {
  readonly code: TransactionCode
  readonly endToEndId: string
  readonly amountMinor: MinorUnits
}

/** The purpose of a payment (provider design, decision 7). No payment moves a status backwards. */
export function purposeOf(
  { status, amountMinor }: Pick<Transaction, 'status' | 'amountMinor'>,
  earlier: readonly Pick<BankPayment, 'purpose'>[],
  { amountMinor: paidMinor, settlesMinor = paidMinor, way }: Omit<FoundPayment, 'endToEndId'>,
): PaymentPurpose {
  if (earlier.some(({ purpose }) => purpose === 'order')) return 'second-payment'
  // An order that a person set to COMPLETE is paid for by the money that arrives later.
  if (status !== 'PENDING' && status !== 'COMPLETE') return 'after-the-end'
  // A merchant has already counted money that was received elsewhere.
  return settlesMinor === amountMinor || way === 'elsewhere' ? 'order' : 'other-amount'
}

/** A bank may report a last-minute payment a little later. */
const END_GRACE_MS = 5 * MINUTE_MS
/** The shortest pause between two looks at one charge, regardless of the number of notices. */
export const READ_PAUSE_MS: number = 10 * SECOND_MS
/** Longer than a request can be in flight: a bank that then shows no boleto never received one. */
export const REOPEN_AFTER_MS: number = MINUTE_MS
/** Longer than a bank's time to answer. */
export const READ_LEASE_MS: number = MINUTE_MS
export const READ_PAUSE_MAX_MS: number = HOUR_MS

/** The end of an unpaid charge: only a later read proves that it is unpaid. */
export function endOf({
  bankExpiresAtMs = Infinity,
  dueDate,
}: Pick<BankCharge, 'bankExpiresAtMs' | 'dueDate'>): number {
  return dueDate === undefined ? bankExpiresAtMs + END_GRACE_MS : boletoEndMs(dueDate)
}

export const SWEEP_PAUSE_MS: number = 30 * SECOND_MS
/** The pause between two readings of a bank's notices. */
export const NOTICES_PAUSE_MS: number = HOUR_MS
/** Older notices are useless: meanwhile each boleto has been read. */
export const NOTICES_PERIOD_MS: number = 7 * DAY_MS
export const SWEEP_OVERLAP_MS: number = 10 * MINUTE_MS
export const DAILY_SWEEP_DAYS = 3
/** The pages of a list that are read before a pause. New payments are found meanwhile. */
export function pagesAtOnce(kind: SweepKind): number {
  if (kind === 'recent') return Infinity
  return isLate(kind) ? 1 : 10
}
