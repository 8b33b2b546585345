// Rules for receivers that do not answer, of notifications and of events alike.
import { HOUR_MS, SECOND_MS } from '@cofre/contracts'

/** The time without an acceptance after which one delivery is tried every interval. */
export const FAILING_AFTER_MS: number = HOUR_MS
/**
 * Up to this number, each delivery may be sent every ten minutes: a request a minute harms no shop,
 * and each one may be accepted.
 */
export const WAITING_MAX = 10
/** Somewhat longer than the sender's time-out, so that a claim outlives its delivery. */
export const DELIVERY_LEASE_MS: number = 15 * SECOND_MS
