import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type Clock, MINUTE_MS } from '@cofre/contracts'

const FAILURES_MAX = 5
const LOCKED_MS = 15 * MINUTE_MS
/** Beyond this the oldest count or browser is forgotten: a guesser cannot fill the memory. */
const KEPT_MAX = 10_000

/** What `::` of an IPv6 address stands for, at most. */
const ZEROS: readonly string[] = Array.from({ length: 8 }, () => '0')
const NETWORK_GROUPS = 4

interface FailureCount {
  readonly failures: number
  readonly lastAtMs: number
}

/** Who tries a secret, and for which store. */
export interface SignInAttempt {
  readonly storeId: string
  readonly address: string
  /** Id of a cookie that this browser alone has. */
  readonly visitId: string
}

/**
 * Stops guessing: five failures for a store from an address lock it until fifteen minutes after the
 * last. A browser that has signed in for the store before has its own count, so that a guesser
 * behind its address does not shut it out.
 */
export interface SignInLockout {
  /**
   * Counts an attempt as failed before its outcome is known, so that simultaneous attempts all
   * count. Returns how long to wait, in milliseconds; zero: the attempt is allowed.
   */
  begin(attempt: SignInAttempt): number
  /** The attempt succeeded: its count ends, and the browser is known. */
  succeed(attempt: SignInAttempt): void
}

export function createSignInLockout(clock: Clock): SignInLockout {
  const counts = new Map<string, FailureCount>()
  const knownBrowsers = new Map<string, true>()
  const keyOf = (attempt: SignInAttempt): string => {
    const browser = browserKey(attempt)
    return knownBrowsers.has(browser)
      ? browser
      : digest(attempt.storeId, 'at', networkOf(attempt.address))
  }
  const recent = (key: string): FailureCount | undefined => {
    const count = counts.get(key)
    return count !== undefined && clock.now() - count.lastAtMs < LOCKED_MS ? count : undefined
  }
  return {
    begin(attempt) {
      const key = keyOf(attempt)
      const count = recent(key)
      if (count !== undefined && count.failures >= FAILURES_MAX)
        return count.lastAtMs + LOCKED_MS - clock.now()
      keepLast(counts, key, { failures: (count?.failures ?? 0) + 1, lastAtMs: clock.now() })
      return 0
    },
    succeed(attempt) {
      counts.delete(keyOf(attempt))
      keepLast(knownBrowsers, browserKey(attempt), true)
    },
  }
}

/** The address itself, or of IPv6 the /64, within which its owner chooses freely. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [before = [], after = []] = address.split('::').map((part) => part.split(':'))
  const groups = [...before, ...ZEROS.slice(before.length + after.length), ...after]
  const network = groups.slice(0, NETWORK_GROUPS)
  return network.map((group) => Number.parseInt(group || '0', 16).toString(16)).join(':')
}

/** Keeps an entry as the newest; a full map forgets its oldest. */
function keepLast<Value>(entries: Map<string, Value>, key: string, value: Value): void {
  entries.delete(key)
  const [oldest] = entries.keys()
  if (entries.size >= KEPT_MAX && oldest !== undefined) entries.delete(oldest)
  entries.set(key, value)
}

function browserKey({ storeId, visitId }: SignInAttempt): string {
  return digest(storeId, 'by', visitId)
}

/** Of one length, whatever a stranger sends. */
function digest(...texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('base64url')
}
