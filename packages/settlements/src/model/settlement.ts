// What banks and acquirers say they paid out, and what becomes of each line of it.
import type {
  ListQuery,
  SettlementKind,
  SettlementPlace,
  SettlementProblem,
} from '@cofre/contracts'
import { firstCodeAt, timeOfDayInBrasilia } from '@cofre/gateway/room'

/**
 * Where lines come from: a file's format, or `pix` for the list of an account's bank. May name a
 * format that no reader of this installation knows.
 */
export type SettlementSource = string
export type SettlementLineKind = SettlementKind

/**
 * `reading` while lines are kept, `comparing` until each was looked for among the payments. What is
 * refused or taken out is `removing` until its lines are gone; of the latter nothing is left.
 */
export const SETTLEMENT_FILE_STATES = [
  'reading',
  'comparing',
  'ready',
  'removing',
  'refused',
] as const
export type SettlementFileState = (typeof SETTLEMENT_FILE_STATES)[number]

/** Why a file was refused: `interrupted` where the process ended that read it. */
export interface SettlementRefusal extends SettlementPlace {
  readonly problem: SettlementProblem | 'interrupted'
}

/** What became of a line, once it was compared. */
export const SETTLEMENT_RESULTS = [
  'matched',
  'different',
  /** It is of no payment of the store. */
  'unknown',
  /** One of these two, that a person has looked at. */
  'resolved',
  /** A line before it said the same: it is counted once. */
  'repeated',
  /** It is about no payment: a fee of the month, an adjustment. */
  'no-payment',
] as const
export type SettlementOutcome = (typeof SETTLEMENT_RESULTS)[number]
/** `new`: not compared yet, and shown nowhere. */
export type SettlementResult = SettlementOutcome | 'new'

/** Those of a line that is shown with its payment. */
export const SETTLED_RESULTS = [
  'matched',
  'different',
  'resolved',
] as const satisfies readonly SettlementOutcome[]

/** Those that somebody has to look at. */
export const UNSETTLED = ['different', 'unknown'] as const satisfies readonly SettlementOutcome[]

export type SettlementDifference =
  | 'amount'
  /** The payment is none that has such a line: it was not paid, or not charged back. */
  | 'status'
  /** It was charged at another account than the file is of. */
  | 'account'
  /** A line before it was of the same sale, part of one, or chargeback. */
  | 'paid-twice'
  /** The sale has no such part. */
  | 'parts'
  /** An entry of the payment that is neither of these kinds. */
  | 'kind'
  /** No refund of this amount was made. */
  | 'no-refund'
  /** A PIX that is no order's: paid twice, late, or with another amount. */
  | 'surplus'

/** Who uploads what. */
export interface NewSettlementFile {
  readonly id: number
  readonly storeId: string
  readonly format: SettlementSource
  readonly accountId: string | undefined
  readonly name: string
  readonly actor: string
  readonly uploadedAtMs: number
}

/** What is known of a file once it was read. */
export interface ReadFile {
  readonly sha256: string
  readonly bytes: number
  /** By the machine's clock. */
  readonly atMs: number
}

/** In one unit of work: payments wait no longer. */
export const LINES_AT_ONCE = 500

/** A file as people see it. */
export interface SettlementFile {
  readonly id: number
  readonly format: SettlementSource
  readonly accountId: string | undefined
  /** As it was called where it was uploaded; an account for `pix`. */
  readonly name: string
  readonly bytes: number
  readonly state: SettlementFileState
  readonly refusal: SettlementRefusal | undefined
  readonly lines: number
  /** Of the lines that were compared so far. */
  readonly results: Readonly<Partial<Record<SettlementOutcome, number>>>
  /** Since 1970, in Brasília. */
  readonly fromDay: number | undefined
  readonly toDay: number | undefined
  /** As in the log of acts; `store` for whoever signed in with the store's secret; or `worker`. */
  readonly actor: string
  readonly uploadedAtMs: number
}

/** A line that was compared, as people see it. Amounts in centavos, with their signs. */
export interface SettledLine {
  readonly fileId: number
  readonly line: number
  readonly kind: SettlementLineKind
  readonly source: SettlementSource
  /** What the file calls the payment: the first of its names that it has. */
  readonly name: string | undefined
  readonly installment: number | undefined
  readonly installments: number | undefined
  readonly brand: string | undefined
  /** Since 1970, in Brasília. */
  readonly day: number
  readonly grossMinor: number
  readonly feeMinor: number
  readonly netMinor: number
  readonly result: SettlementOutcome
  readonly difference: SettlementDifference | undefined
  readonly expectedMinor: number | undefined
  readonly transactionCode: number | undefined
  /** Of a line that a person has looked at. */
  readonly resolution: Pick<LineResolution, 'actor' | 'note' | 'atMs'> | undefined
}

/** What a person has found of a line that was different, or of no payment. */
export interface LineResolution {
  readonly fileId: number
  readonly line: number
  /** As in the log of acts; `store` for whoever signed in with the store's secret. */
  readonly actor: string
  readonly note: string
  readonly atMs: number
}

/** What arrived on a day. Repeated lines do not count. */
export interface SettledDay {
  readonly day: number
  readonly lines: number
  readonly grossMinor: number
  readonly feeMinor: number
  readonly netMinor: number
  /** Lines that somebody has to look at. */
  readonly unsettled: number
}

export interface SettlementPeriod {
  readonly fromDay: number
  /** Not included. */
  readonly untilDay: number
}

export interface SettledLinesQuery extends ListQuery {
  readonly results: readonly SettlementOutcome[]
  /** Of one file, in its order; else of all, the latest day first. */
  readonly fileId?: number | undefined
  /** Of all files. */
  readonly period?: SettlementPeriod | undefined
}

/** A payment that was paid at an account, and that no line of its files is of. */
export interface MissingPayment {
  readonly code: number
  readonly reference: string
  readonly accountId: string
  readonly paidAtMs: number
  readonly chargedMinor: number
  readonly installments: number
}

/** An account whose files say what was paid out. */
export interface CoveredAccount {
  readonly accountId: string
  /** Payments of these days have to be in a file. */
  readonly fromDay: number
  /** Not included. */
  readonly untilDay: number
}

/** A PIX may be paid some days after it was made. */
const PAID_WITHIN_DAYS = 7

/**
 * The codes that payments of these days may have. Those of two stretches of an account do not
 * overlap.
 */
export function codesOf({ fromDay, untilDay }: CoveredAccount) {
  return {
    from: firstCodeAt(timeOfDayInBrasilia(fromDay - PAID_WITHIN_DAYS)),
    /** Not included. */
    until: firstCodeAt(timeOfDayInBrasilia(untilDay)),
  }
}

/**
 * A card's sale is paid out after 30 days at the latest, or its first part is, on the next day on
 * which banks work.
 */
export const CARD_SETTLES_WITHIN_DAYS = 35
