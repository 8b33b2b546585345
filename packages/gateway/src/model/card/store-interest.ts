// What installments cost at a store: the changes of its interest, and which of them hold when.
import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { InstallmentTerms } from './installment-plan.js'

/** From a time on, what installments cost by one brand, or by all without terms of their own. */
export interface InterestChange {
  /** All brands without one. */
  readonly brand?: string | undefined
  /** Epoch milliseconds, by the machine's clock. */
  readonly fromMs: number
  /** Null ends terms of the store's own: those of all brands hold, then the installation's. */
  readonly terms: InstallmentTerms | null
}

/** The changes of a store: of one brand, each holds from later than the one before it. */
export type StoreInterest = readonly InterestChange[]

/** What an owner or an operator asks for. */
export interface WantedInterest extends Omit<InterestChange, 'fromMs'> {
  /** At once without one. */
  readonly fromMs?: number | undefined
}

/** A price that was shown holds for so long. */
export const SHOWN_PRICE_MS = HOUR_MS
/** The clocks of two processes may differ by so much. */
const CLOCKS_APART_MS = 5 * MINUTE_MS
/** Each payment reads them. */
export const INTEREST_CHANGES_MAX = 60

/** Why a change is refused: it would hold from a time that is over, or there are so many. */
export type InterestRefusal = 'past' | 'too-many'

/** Which terms are asked for. */
export interface InterestQuery {
  readonly changes: StoreInterest | undefined
  /** Of stores that have none. */
  readonly usual: InstallmentTerms
  /** Undefined where it is not known yet: any of them may pay. */
  readonly brand: string | undefined
  readonly nowMs: number
}

/** The terms by which prices are shown at this moment: several where the brand is unknown. */
export function shownTerms(query: InterestQuery): readonly InstallmentTerms[] {
  return termsOf(query, [query.nowMs])
}

/**
 * The terms by which a price was shown that still holds, in this process or in one whose clock is a
 * little apart. The cheapest of them exceeds no price that was shown.
 */
export function chargedTerms(query: InterestQuery): readonly InstallmentTerms[] {
  const { changes = [], nowMs } = query
  const afterMs = nowMs - SHOWN_PRICE_MS - CLOCKS_APART_MS
  const untilMs = nowMs + CLOCKS_APART_MS
  const since = changes.filter(({ fromMs }) => fromMs > afterMs && fromMs <= untilMs)
  return termsOf(query, [afterMs, ...since.map(({ fromMs }) => fromMs)])
}

function termsOf(
  { changes = [], usual, brand }: InterestQuery,
  timesMs: readonly number[],
): readonly InstallmentTerms[] {
  const brands = brand === undefined ? [undefined, ...changes.map((one) => one.brand)] : [brand]
  const found = timesMs.flatMap((atMs) =>
    [...new Set(brands)].map((of) => termsAt(changes, of, atMs) ?? usual),
  )
  return [...new Set(found)]
}

/** What the store has of its own for a brand at a time. */
function termsAt(
  changes: StoreInterest,
  brand: string | undefined,
  atMs: number,
): InstallmentTerms | undefined {
  const latestOf = (of: string | undefined): InstallmentTerms | undefined =>
    changes.findLast((change) => change.brand === of && change.fromMs <= atMs)?.terms ?? undefined
  return latestOf(brand) ?? latestOf(undefined)
}

/**
 * The changes with one more, which is the last word on its brand from its time on: what was to hold
 * later does not. What has held, or was shown where a clock is ahead, stays for its prices.
 */
export function withInterest(
  changes: StoreInterest,
  { brand, fromMs, terms }: WantedInterest,
  nowMs: number,
): StoreInterest | InterestRefusal {
  if (fromMs !== undefined && fromMs < nowMs) return 'past'
  const wantedMs = fromMs ?? nowMs
  const overruled = overruledChanges(changes, { brand, fromMs }, nowMs)
  const kept = changes.filter(
    (one) => !isForgotten(changes, one, nowMs) && !overruled.includes(one),
  )
  const last = kept.findLast((one) => one.brand === brand)
  const beginsMs = Math.max(wantedMs, last === undefined ? 0 : last.fromMs + 1)
  if (kept.length >= INTEREST_CHANGES_MAX) return 'too-many'
  return [...kept, { ...(brand !== undefined && { brand }), fromMs: beginsMs, terms }]
}

/** Those that were to hold later, and will not when one more change is made. */
export function overruledChanges(
  changes: StoreInterest,
  { brand, fromMs }: Pick<WantedInterest, 'brand' | 'fromMs'>,
  nowMs: number,
): StoreInterest {
  const beginsMs = Math.max(fromMs ?? nowMs, nowMs + CLOCKS_APART_MS + 1)
  return changes.filter((one) => one.brand === brand && one.fromMs >= beginsMs)
}

/** `visa: 0.0299 a month, 3 free, from 2026-11-28T12:00:00.000Z` */
export function interestText({ brand = 'all brands', fromMs, terms }: InterestChange): string {
  const price =
    terms === null ? 'as usual' : `${terms.monthlyRate} a month, ${terms.interestFree} free`
  return `${brand}: ${price}, from ${new Date(fromMs).toISOString()}`
}

/** Whether no price of it holds any more: another change of its brand has followed it for long. */
function isForgotten(changes: StoreInterest, one: InterestChange, nowMs: number): boolean {
  const longAgoMs = nowMs - 2 * SHOWN_PRICE_MS - CLOCKS_APART_MS
  return changes.some(
    ({ brand, fromMs }) => brand === one.brand && fromMs > one.fromMs && fromMs < longAgoMs,
  )
}
