import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { PaymentLink } from './payment-link.js'

// Stolen cards that are tried from many addresses look like many payers of one link, all declined.
// Cards then pause at the link; PIX, boleto and wallets, which can't be stolen, continue.

/** In place of a link's id: all links. */
export const ALL_LINKS = ''

/** A period in which cards pay no link, or none of a store's, except those of known payers. */
export interface CardPause {
  readonly storeId: string
  /** {@link ALL_LINKS}: every link of the store. */
  readonly linkId: string
  /** The declines that caused it. */
  readonly declines: number
  readonly beganAtMs: number
  readonly endsAtMs: number
}

/** The subject of a pause: a link, or all links of a store. */
export type PauseSubject = Pick<CardPause, 'storeId' | 'linkId'>

/** A pause in the store's notification. */
export interface NotifiedPause extends CardPause {
  /** The link's reference; undefined for all links of the store. */
  readonly reference: string | undefined
}

export const CARD_PAUSE_MS: number = 15 * MINUTE_MS

const DECLINES_OF_STORE_MIN = 200
const DECLINES_OF_LINK_MIN = { once: 10, many: 20 } as const

/** The number of declines from which cards may be under test. */
export function declinesMinOf({ linkId }: PauseSubject, { usage }: PaymentLink): number {
  return linkId === ALL_LINKS ? DECLINES_OF_STORE_MIN : DECLINES_OF_LINK_MIN[usage]
}

const DECLINES_PER_APPROVAL = 3

/** The number of approvals that makes these declines plausible for honest payers. */
export function approvalsFor(declines: number): number {
  return Math.ceil(declines / DECLINES_PER_APPROVAL)
}

/** The number of cards that may be in progress at once: all of them may be declined. */
export interface CardCapacity extends PauseSubject {
  /** The start of the period in which declines, approvals and cards in progress count. */
  readonly sinceMs: number
  readonly declinesMin: number
}

/** The start of the counted period: declines that led to a pause lead to no other. */
export function countsSinceMs(last: CardPause | undefined, nowMs: number): number {
  return Math.max(nowMs - HOUR_MS, last?.endsAtMs ?? 0)
}

/** The time before which a known payer must have paid the store, so not by a tested card. */
export function knownBeforeMs(testedFromMs: number): number {
  return testedFromMs - HOUR_MS
}

/** A store is notified of a pause only if no notified one ended within this time. */
export const PAUSE_INTERVAL_MIN_MS: number = HOUR_MS
/** The pause between two attempts to notify a store. */
export const NOTIFY_PAUSE_MS: number = 5 * MINUTE_MS
