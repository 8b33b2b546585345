// Payouts that banks and acquirers report, and the result of each line.
import type {
  ListQuery,
  SettlementKind,
  SettlementPlace,
  SettlementProblem,
} from '@cofre/contracts'
import { firstCodeAt, timeOfDayInBrasilia } from '@cofre/gateway/room'

/**
 * The source of lines: a file's format, or `pix` for the list of an account's bank. May name a
 * format that this installation does not read.
 */
export type SettlementSource = string
export type SettlementLineKind = SettlementKind

/**
 * `reading` while lines are stored, `comparing` until each was compared with the payments. A
 * refused or removed file is `removing` until its lines are gone; a removed one then disappears.
 */
export const SETTLEMENT_FILE_STATES = [
  'reading',
  'comparing',
  'ready',
  'removing',
  'refused',
] as const
export type SettlementFileState = (typeof SETTLEMENT_FILE_STATES)[number]

/** Why a file was refused: `interrupted` if the process that read it ended. */
export interface SettlementRefusal extends SettlementPlace {
  readonly problem: SettlementProblem | 'interrupted'
}

/** The result of a compared line. */
export const SETTLEMENT_RESULTS = [
  'matched',
  'different',
  /** It belongs to no payment of the store. */
  'unknown',
  /** It was `different` or `unknown`, and a person has resolved it. */
  'resolved',
  /** An earlier line has the same content, which is counted once. */
  'repeated',
  /** It concerns no payment: a monthly fee, an adjustment. */
  'no-payment',
] as const
export type SettlementOutcome = (typeof SETTLEMENT_RESULTS)[number]
/** `new`: not compared yet, and shown nowhere. */
export type SettlementResult = SettlementOutcome | 'new'

/** The results of lines that a payment is shown with. */
export const SETTLED_RESULTS = [
  'matched',
  'different',
  'resolved',
] as const satisfies readonly SettlementOutcome[]

/** The results that need a person. */
export const UNSETTLED = ['different', 'unknown'] as const satisfies readonly SettlementOutcome[]

export type SettlementDifference =
  | 'amount'
  /** The payment cannot have such a line: it was not paid, or not charged back. */
  | 'status'
  /** It was charged at a different account from the file's. */
  | 'account'
  /** An earlier line was of the same sale, part or chargeback. */
  | 'paid-twice'
  /** The sale has no such part. */
  | 'parts'
  /** An entry of the payment that is no sale, refund or chargeback. */
  | 'kind'
  /** No refund of this amount was made. */
  | 'no-refund'
  /** A PIX that belongs to no order: paid twice, late, or with another amount. */
  | 'surplus'

/** A new upload with its sender. */
export interface NewSettlementFile {
  readonly id: number
  readonly storeId: string
  readonly format: SettlementSource
  readonly accountId: string | undefined
  readonly name: string
  readonly actor: string
  readonly uploadedAtMs: number
}

/** The known facts of a file once it was read. */
export interface ReadFile {
  readonly sha256: string
  readonly bytes: number
  /** By the machine's clock. */
  readonly atMs: number
}

/** The lines of one unit of work, small enough that payments need not wait. */
export const LINES_AT_ONCE = 500

/** A file, as people see it. */
export interface SettlementFile {
  readonly id: number
  readonly format: SettlementSource
  readonly accountId: string | undefined
  /** The file's name at its upload; an account for `pix`. */
  readonly name: string
  readonly bytes: number
  readonly state: SettlementFileState
  readonly refusal: SettlementRefusal | undefined
  readonly lines: number
  /** The counts of the lines that were compared so far. */
  readonly results: Readonly<Partial<Record<SettlementOutcome, number>>>
  /** Since 1970, in Brasília. */
  readonly fromDay: number | undefined
  readonly toDay: number | undefined
  /** The actor in the log of acts; `store` for a sign-in with the store's secret; or `worker`. */
  readonly actor: string
  readonly uploadedAtMs: number
}

/** A compared line, as people see it. Amounts are in centavos, with their signs. */
export interface SettledLine {
  readonly fileId: number
  readonly line: number
  readonly kind: SettlementLineKind
  readonly source: SettlementSource
  /** The payment's name in the file: the first one that it has. */
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
  /** Present if a person has resolved the line. */
  readonly resolution: Pick<LineResolution, 'actor' | 'note' | 'atMs'> | undefined
}

/** A person's finding on a line that was different, or of no payment. */
export interface LineResolution {
  readonly fileId: number
  readonly line: number
  /** The actor in the log of acts; `store` for a sign-in with the store's secret. */
  readonly actor: string
  readonly note: string
  readonly atMs: number
}

/** The arrived money of a day. Repeated lines do not count. */
export interface SettledDay {
  readonly day: number
  readonly lines: number
  readonly grossMinor: number
  readonly feeMinor: number
  readonly netMinor: number
  /** Lines that need a person. */
  readonly unsettled: number
}

export interface SettlementPeriod {
  readonly fromDay: number
  /** Exclusive. */
  readonly untilDay: number
}

export interface SettledLinesQuery extends ListQuery {
  readonly results: readonly SettlementOutcome[]
  /** Selects one file, in its order; without it, all files, latest day first. */
  readonly fileId?: number | undefined
  /** Selects lines of all files. */
  readonly period?: SettlementPeriod | undefined
}

/** A payment that was paid at an account, but has no line in its files. */
export interface MissingPayment {
  readonly code: number
  readonly reference: string
  readonly accountId: string
  readonly paidAtMs: number
  readonly chargedMinor: number
  readonly installments: number
}

/** An account whose files list the payouts. */
export interface CoveredAccount {
  readonly accountId: string
  /** Payments of these days must be in a file. */
  readonly fromDay: number
  /** Exclusive. */
  readonly untilDay: number
}

/** A PIX may be paid some days after its creation. */
const PAID_WITHIN_DAYS = 7

/**
 * The codes that payments of these days may have. Codes of two stretches of an account do not
 * overlap.
 */
export function codesOf({ fromDay, untilDay }: CoveredAccount) {
  return {
    from: firstCodeAt(timeOfDayInBrasilia(fromDay - PAID_WITHIN_DAYS)),
    /** Exclusive. */
    until: firstCodeAt(timeOfDayInBrasilia(untilDay)),
  }
}

/**
 * A card's sale, or its first part, is paid out after 30 days at the latest, on the next business
 * day.
 */
export const CARD_SETTLES_WITHIN_DAYS = 35
