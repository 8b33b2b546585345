import { HOUR_MS, MINUTE_MS } from '@cofre/contracts'
import type { PaymentLink } from './payment-link.js'

// Stolen cards that are tried from many addresses look like many payers of one link, who are all
// declined. Its cards pause then; what is not stolen is PIX, boleto and wallets.

/** Stands for a link's id. */
export const ALL_LINKS = ''

/** A time in which cards pay no link, or none of a store's, but those of known payers. */
export interface CardPause {
  readonly storeId: string
  /** {@link ALL_LINKS}: every link of the store. */
  readonly linkId: string
  /** How many declines it began with. */
  readonly declines: number
  readonly beganAtMs: number
  readonly endsAtMs: number
}

/** What is paused: a link, or all links of a store. */
export type PauseSubject = Pick<CardPause, 'storeId' | 'linkId'>

/** As its store is told of it. */
export interface ToldPause extends CardPause {
  /** The link's; undefined for all links of the store. */
  readonly reference: string | undefined
}

export const CARD_PAUSE_MS: number = 15 * MINUTE_MS

const DECLINES_OF_STORE_MIN = 200
const DECLINES_OF_LINK_MIN = { once: 10, many: 20 } as const

/** From how many declines cards may be being tested. */
export function declinesMinOf({ linkId }: PauseSubject, { usage }: PaymentLink): number {
  return linkId === ALL_LINKS ? DECLINES_OF_STORE_MIN : DECLINES_OF_LINK_MIN[usage]
}

const DECLINES_PER_APPROVAL = 3

/** With so many approvals, so many declines are those of honest payers. */
export function approvalsFor(declines: number): number {
  return Math.ceil(declines / DECLINES_PER_APPROVAL)
}

/** How many cards may be asked for at once: all of them may be declined. */
export interface CardPlaces extends PauseSubject {
  /** After which declines and approvals count, and cards that are under way. */
  readonly sinceMs: number
  readonly declinesMin: number
}

/** After which declines and approvals count: what led to a pause leads to no other. */
export function countsSinceMs(last: CardPause | undefined, nowMs: number): number {
  return Math.max(nowMs - HOUR_MS, last?.endsAtMs ?? 0)
}

/** Before which a payer has to have paid the store: not by one of the cards that are tested. */
export function knownBeforeMs(testedFromMs: number): number {
  return testedFromMs - HOUR_MS
}

/** A store hears of a pause, unless it has heard of one that ended so lately. */
export const PAUSES_APART_MS: number = HOUR_MS
/** Between two attempts to tell a store. */
export const TELL_PAUSE_MS: number = 5 * MINUTE_MS
