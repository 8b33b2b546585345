import { type Deadline, SECOND_MS } from '@cofre/contracts'

/** How long a shop waits for the answer to a request that pays. */
export const SHOP_WAITS_MS: number = 15 * SECOND_MS
/** How much of that a call to one more acquirer needs. */
export const ACQUIRER_NEEDS_MS: number = 5 * SECOND_MS
/** How much of that one more call to a bank needs. */
export const BANK_NEEDS_MS: number = 6 * SECOND_MS
/** The bound of each call to a provider that has begun, whether or not a shop still waits. */
export const PROVIDER_TIMEOUT_MS: number = 20 * SECOND_MS

/** A deadline that begins now, by the monotonic clock: no change of the machine's time moves it. */
export function beginDeadline(waitMs: number = SHOP_WAITS_MS): Deadline {
  const endMs = performance.now() + waitMs
  const leftMs = (): number => endMs - performance.now()
  return { leftMs, allows: (neededMs) => leftMs() >= neededMs }
}
