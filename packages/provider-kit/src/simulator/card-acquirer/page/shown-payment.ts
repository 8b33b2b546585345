// What the page of an acquirer shows and lets people do: each acquirer says it of its own books.
import type { MinorUnits } from '@cofre/contracts'
import type { NoticeAttempt } from '../notice-line.js'
import type { ShownCard } from '../shown-card.js'
import type { Texts } from './view.js'

export type PaymentAction = keyof Texts['payments']['actions']
export type EntryAction = keyof Texts['entries']['actions']

/** A capture, refund, cancel or chargeback. */
export interface ShownEntry {
  readonly id: string
  readonly kind: keyof Texts['entries']['kinds']
  readonly amountMinor: number
  readonly state: keyof Texts['entries']['states']
  readonly actions: readonly EntryAction[]
}

export interface ShownPayment {
  readonly id: string
  readonly reference: string
  readonly amountMinor: number
  readonly installments: number
  readonly card: ShownCard
  readonly createdMs: number
  readonly state: keyof Texts['payments']['states']
  /** The acquirer's own code and words. */
  readonly detail: string
  readonly entries: readonly ShownEntry[]
  readonly actions: readonly PaymentAction[]
  /** What the acquirer could give back by itself. */
  readonly refundableMinor: number
}

/** What decides what becomes of a payment, as the acquirer documents it for tests. */
export interface ShownRule {
  /** Of the card, or of the name on it. */
  readonly given: string
  /** The acquirer's own words. */
  readonly answer: string
}

/** One thing of how the acquirer behaves; of its values the usual one stands first. */
export interface Setting {
  readonly name: keyof Texts['settings']
  readonly values: readonly string[]
  readonly chosen: string
}

/** What the page needs of an acquirer. What it refuses throws a RangeError. */
export interface ShownAcquirer {
  readonly name: string
  readonly cookie: string
  readonly rulesAre: keyof Texts['rules']['by']
  readonly rules: readonly ShownRule[]
  settings(): readonly Setting[]
  /** @throws ZodError for what is none of the values */
  apply(fields: Readonly<Record<string, string>>): void
  /** The newest first. */
  payments(): readonly ShownPayment[]
  attempts(): readonly NoticeAttempt[]
  /** What was paid out, as the acquirer's own file has it. */
  readonly settlementReport?: () => string
  act(payment: string, action: PaymentAction): void
  refund(payment: string, amountMinor: MinorUnits): void
  actOn(entry: { payment: string; id: string }, action: EntryAction): void
}
