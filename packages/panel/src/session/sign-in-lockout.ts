import { type Clock, MINUTE_MS } from '@cofre/contracts'

const FAILURES_MAX = 5
const LOCKED_MS = 15 * MINUTE_MS
/** Beyond this the oldest count is forgotten, so that a guesser cannot fill the memory. */
const COUNTS_MAX = 10_000

interface FailureCount {
  readonly failures: number
  readonly lastAtMs: number
}

/** Stops who guesses: after five failures of a store and an address, a pause of fifteen minutes since the last. */
export interface SignInLockout {
  /**
   * Counts an attempt as failed before its outcome is known, so that attempts made at once all count. Returns how long to
   * wait, in milliseconds, when there may be no attempt: zero when there may.
   */
  begin(storeId: string, address: string): number
  /** The attempt succeeded: nothing stays counted. */
  succeed(storeId: string, address: string): void
}

export function createSignInLockout(clock: Clock): SignInLockout {
  const counts = new Map<string, FailureCount>()
  const recent = (key: string): FailureCount | undefined => {
    const count = counts.get(key)
    return count !== undefined && clock.now() - count.lastAtMs < LOCKED_MS ? count : undefined
  }
  return {
    begin(storeId, address) {
      const key = keyOf(storeId, address)
      const count = recent(key)
      if (count !== undefined && count.failures >= FAILURES_MAX)
        return count.lastAtMs + LOCKED_MS - clock.now()
      const [oldest] = counts.keys()
      if (counts.size >= COUNTS_MAX && oldest !== undefined) counts.delete(oldest)
      counts.delete(key)
      counts.set(key, { failures: (count?.failures ?? 0) + 1, lastAtMs: clock.now() })
      return 0
    },
    succeed(storeId, address) {
      counts.delete(keyOf(storeId, address))
    },
  }
}

function keyOf(storeId: string, address: string): string {
  return JSON.stringify([storeId, address])
}
