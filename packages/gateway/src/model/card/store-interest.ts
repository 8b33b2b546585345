// The cost of installments at a store: the changes of its interest, and when each one applies.
import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { InstallmentTerms } from './installment-plan.js'

/**
 * The cost of installments from a time on, for one brand or for all brands without their own terms.
 */
export interface InterestChange {
  /** Absent for all brands without their own terms. */
  readonly brand?: string | undefined
  /** Epoch milliseconds, by the machine's clock. */
  readonly fromMs: number
  /** Null ends the store's own terms: those of all brands apply, then the installation's. */
  readonly terms: InstallmentTerms | null
}

/** The changes of a store: each one of a brand applies from later than the one before it. */
export type StoreInterest = readonly InterestChange[]

/** A change that an owner or an operator requests. */
export interface WantedInterest extends Omit<InterestChange, 'fromMs'> {
  /** Immediately when absent. */
  readonly fromMs?: number | undefined
}

/** How long a shown price stays valid. */
export const SHOWN_PRICE_MS = HOUR_MS
/** The greatest difference between the clocks of two processes. */
const CLOCK_SKEW_MAX_MS = 5 * MINUTE_MS
/** Limited, because each payment reads them. */
export const INTEREST_CHANGES_MAX = 60

/** Why a change is refused: its time is over, or there are too many changes. */
export type InterestRefusal = 'past' | 'too-many'

/** A query for terms. */
export interface InterestQuery {
  readonly changes: StoreInterest | undefined
  /** Terms of stores without their own. */
  readonly usual: InstallmentTerms
  /** Undefined if it is not known yet: any brand may pay. */
  readonly brand: string | undefined
  readonly nowMs: number
}

/** The terms of prices shown at this moment: several if the brand is unknown. */
export function shownTerms(query: InterestQuery): readonly InstallmentTerms[] {
  return termsOf(query, [query.nowMs])
}

/**
 * The terms of shown prices that are still valid, in this process or in one whose clock differs a
 * little. The cheapest of them exceeds no shown price.
 */
export function chargedTerms(query: InterestQuery): readonly InstallmentTerms[] {
  const { changes = [], nowMs } = query
  const afterMs = nowMs - SHOWN_PRICE_MS - CLOCK_SKEW_MAX_MS
  const untilMs = nowMs + CLOCK_SKEW_MAX_MS
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

/** The store's own terms for a brand at a time. */
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
 * Adds a change, which replaces those of its brand that would apply later. Changes that have
 * applied, or were shown by a process whose clock is ahead, stay for their prices.
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

/** Later changes that one more change would overrule. */
export function overruledChanges(
  changes: StoreInterest,
  { brand, fromMs }: Pick<WantedInterest, 'brand' | 'fromMs'>,
  nowMs: number,
): StoreInterest {
  const beginsMs = Math.max(fromMs ?? nowMs, nowMs + CLOCK_SKEW_MAX_MS + 1)
  return changes.filter((one) => one.brand === brand && one.fromMs >= beginsMs)
}

/** `visa: 0.0299 a month, 3 free, from 2026-11-28T12:00:00.000Z` */
export function interestText({ brand = 'all brands', fromMs, terms }: InterestChange): string {
  const price =
    terms === null ? 'as usual' : `${terms.monthlyRate} a month, ${terms.interestFree} free`
  return `${brand}: ${price}, from ${new Date(fromMs).toISOString()}`
}

/**
 * True if no price of a change is valid any more: another change of its brand followed long ago.
 */
function isForgotten(changes: StoreInterest, one: InterestChange, nowMs: number): boolean {
  const longAgoMs = nowMs - 2 * SHOWN_PRICE_MS - CLOCK_SKEW_MAX_MS
  return changes.some(
    ({ brand, fromMs }) => brand === one.brand && fromMs > one.fromMs && fromMs < longAgoMs,
  )
}
