// The content and actions of an acquirer's page; each acquirer fills them from its own books.
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
  /** The amount that the acquirer could refund on its own. */
  readonly refundableMinor: number
}

/** A rule that decides a payment's outcome, as the acquirer documents it for tests. */
export interface ShownRule {
  /** Part of the card number, or of the name on the card. */
  readonly given: string
  /** The acquirer's own words. */
  readonly answer: string
}

/** One setting of the acquirer's behaviour; the first of the values is the default. */
export interface Setting {
  readonly name: keyof Texts['settings']
  readonly values: readonly string[]
  readonly chosen: string
}

/** The page's port to an acquirer. It throws a RangeError for refused actions. */
export interface ShownAcquirer {
  readonly name: string
  readonly cookie: string
  readonly rulesAre: keyof Texts['rules']['by']
  readonly rules: readonly ShownRule[]
  settings(): readonly Setting[]
  /** @throws ZodError for a value that is not listed */
  apply(fields: Readonly<Record<string, string>>): void
  /** The newest first. */
  payments(): readonly ShownPayment[]
  attempts(): readonly NoticeAttempt[]
  /** The payouts, in the acquirer's own file format. */
  readonly settlementReport?: () => string
  act(payment: string, action: PaymentAction): void
  refund(payment: string, amountMinor: MinorUnits): void
  actOn(entry: { payment: string; id: string }, action: EntryAction): void
}
