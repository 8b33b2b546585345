import { type Clock, DAY_MS, HOUR_MS, type Secret } from '@cofre/contracts'
import { type RandomBytes, type ShownCard, type Tally, sumOf } from '@cofre/provider-kit/simulator'

/** A shop's account, with its system's credentials and its notices' address. */
export interface CieloAccount {
  /** A GUID. */
  readonly merchantId: string
  readonly merchantKey: Secret<string>
  noticeUrl: string | undefined
  /** Cielo's "garantia de cancelamento": it cancels a sale by itself if it could not answer. */
  readonly cancelsUnfinished: boolean
  /** The limit of its contract. */
  readonly installmentsMax: number
  /** Its days between authorization and capture. */
  readonly captureDays: number
}

/** The end of an authorization, with the issuer's code and message. */
export interface Decision {
  readonly end: 'authorized' | 'denied' | 'unfinished' | 'pending' | 'aborted'
  readonly returnCode: string
  readonly returnMessage: string
  readonly merchantAdviceCode?: string | undefined
}

/** A cancel or a refund. */
export interface Void {
  readonly amountMinor: number
  readonly voidedMs: number
  state: 'done' | 'refused'
}

export interface Chargeback {
  readonly amountMinor: number
  readonly caseNumber: string
  readonly openedMs: number
  state: 'Received' | 'Reversed'
}

export interface CardOnFile {
  readonly usage: string
  readonly reason?: string | undefined
}

export interface Sale {
  readonly merchantId: string
  readonly paymentId: string
  readonly merchantOrderId: string
  readonly customerName?: string | undefined
  readonly type: 'CreditCard' | 'DebitCard'
  readonly amountMinor: number
  readonly installments: number
  readonly softDescriptor?: string | undefined
  readonly card: ShownCard
  readonly brand: string
  readonly cardOnFile?: CardOnFile | undefined
  /** Both ids of an earlier use of the card, as a later use sends them. */
  readonly sentIssuerTransactionId?: string | undefined
  readonly sentTransactionLinkId?: string | undefined
  readonly issuerTransactionId: string
  readonly transactionLinkId?: string | undefined
  readonly eci?: string | undefined
  readonly tid: string
  readonly proofOfSale: string
  readonly authorizationCode: string
  readonly receivedMs: number
  readonly asksCapture: boolean
  /** The last time at which it can be captured; absent in books of earlier releases. */
  readonly captureEndsMs?: number | undefined
  /** True if Cielo cancels it by itself when it could not answer. */
  readonly cancelsUnfinished: boolean
  decision: Decision
  captured?: { readonly amountMinor: number; readonly capturedMs: number } | undefined
  /** Set if it was not captured in time. */
  expiredMs?: number | undefined
  readonly voids: Void[]
  readonly chargebacks: Chargeback[]
  fraudAlertMs?: number | undefined
}

/** An approved card of a Zero Auth. */
export interface CheckedCard {
  readonly card: ShownCard
  readonly issuerTransactionId: string
  readonly transactionLinkId?: string | undefined
}

export interface Book {
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly accounts: CieloAccount[]
  /** By PaymentId. */
  readonly sales: Map<string, Sale>
  /** Kept in memory only: Cielo gives a check no name, and has no query for it. */
  readonly checkedCards: CheckedCard[]
  /** Writes the sale's current state; it is durable when this returns. */
  save(sale: Sale): void
}

export const STATUS = {
  notFinished: 0,
  authorized: 1,
  confirmed: 2,
  denied: 3,
  voided: 10,
  refunded: 11,
  pending: 12,
  aborted: 13,
} as const
export type Status = (typeof STATUS)[keyof typeof STATUS]

export function voidedOf({ voids }: Sale): number {
  return sumOf(voids.filter(({ state }) => state === 'done'))
}

/** The amount that can still be cancelled or refunded. */
export function voidableOf(sale: Sale): number {
  return (sale.captured ?? sale).amountMinor - voidedOf(sale)
}

export function statusOf(sale: Sale): Status {
  switch (sale.decision.end) {
    case 'unfinished':
      return STATUS.notFinished
    case 'denied':
      return STATUS.denied
    case 'pending':
      return STATUS.pending
    case 'aborted':
      return STATUS.aborted
    case 'authorized':
      if (sale.expiredMs !== undefined) return STATUS.voided
      if (voidableOf(sale) > 0) return sale.captured ? STATUS.confirmed : STATUS.authorized
      return isRefunded(sale) ? STATUS.refunded : STATUS.voided
  }
}

/** A cancel on the day of the capture is no refund: no money had moved. */
function isRefunded({ captured, voids }: Sale): boolean {
  const last = voids.findLast(({ state }) => state === 'done')
  return captured !== undefined && last !== undefined && isLaterDay(captured, last)
}

/** Cielo uses one time zone for Brazil, without summer time. */
const BRAZIL_OFFSET_MS = -3 * HOUR_MS

function isLaterDay({ capturedMs }: { capturedMs: number }, { voidedMs }: { voidedMs: number }) {
  return brazilDayNumber(voidedMs) > brazilDayNumber(capturedMs)
}

export function brazilDayNumber(timeMs: number): number {
  return Math.floor((timeMs + BRAZIL_OFFSET_MS) / DAY_MS)
}

/** In Cielo's format: the time of Brazil, without its zone. */
export function brazilTime(timeMs: number): string {
  const text = new Date(timeMs + BRAZIL_OFFSET_MS).toISOString()
  return text.slice(0, 19).replace('T', ' ')
}

/** The books' entries under one of the shop's orders. */
export function tallyOf({ sales }: Book, merchantOrderId: string): Tally {
  const found = [...sales.values()].filter((sale) => sale.merchantOrderId === merchantOrderId)
  const charges = found.filter(({ decision }) => decision.end === 'authorized')
  const captures = charges.flatMap(({ captured }) => captured ?? [])
  const refunds = charges.filter(({ captured }) => captured).flatMap(doneVoids)
  return {
    attempts: found.length,
    charges: charges.length,
    chargedMinor: sumOf(charges),
    captures: captures.length,
    capturedMinor: sumOf(captures),
    cancels: charges.filter(({ captured }) => !captured).flatMap(doneVoids).length,
    refunds: refunds.length,
    refundedMinor: sumOf(refunds),
  }
}

function doneVoids({ voids }: Sale): readonly Void[] {
  return voids.filter(({ state }) => state === 'done')
}
