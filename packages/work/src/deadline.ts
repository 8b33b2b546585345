import { type Deadline, SECOND_MS } from '@cofre/contracts'

/** How long a shop waits for the answer to a request that pays. */
export const SHOP_WAITS_MS: number = 15 * SECOND_MS
/** The part of that time that a call to one more acquirer needs. */
export const ACQUIRER_NEEDS_MS: number = 5 * SECOND_MS
/** The part of that time that one more call to a bank needs. */
export const BANK_NEEDS_MS: number = 6 * SECOND_MS
/** The timeout of each call to a provider, whether or not a shop still waits. */
export const PROVIDER_TIMEOUT_MS: number = 20 * SECOND_MS

/** A deadline that begins now. Its clock is monotonic: no change of the machine's time moves it. */
export function beginDeadline(waitMs: number = SHOP_WAITS_MS): Deadline {
  const endMs = performance.now() + waitMs
  const leftMs = (): number => endMs - performance.now()
  return { leftMs, allows: (neededMs) => leftMs() >= neededMs }
}
