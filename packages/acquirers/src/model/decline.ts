import { DAY_MS, HOUR_MS } from '@cofre/contracts'
import type { Decline, DeclineReason } from '@cofre/contracts'
import type { CodeMeaning } from './abecs-codes.js'

/** What a retry waits for where the brand names no time. Ours: sooner is hardly ever approved. */
const WAITS: Partial<Record<DeclineReason, number>> = {
  insufficient_funds: DAY_MS,
  amount_limit_exceeded: DAY_MS,
  attempts_exceeded: DAY_MS,
  issuer_unavailable: HOUR_MS,
  system_failure: HOUR_MS,
}

/** Mastercard's merchant advice codes that say when, or never. */
const ADVICE: ReadonlyMap<number, number | 'never'> = new Map<number, number | 'never'>([
  [2, 3 * DAY_MS],
  [3, 'never'],
  [21, 'never'],
  [24, HOUR_MS],
  [25, DAY_MS],
  [26, 2 * DAY_MS],
  [27, 4 * DAY_MS],
  [28, 6 * DAY_MS],
  [29, 8 * DAY_MS],
  [30, 10 * DAY_MS],
])

export interface DeclineWords extends CodeMeaning {
  readonly code: string | undefined
  /** `03`, or `03 : Do not try again`. */
  readonly merchantAdviceCode?: string | undefined
}

/** Whoever forbids a retry is obeyed: the brand's table or its advice. */
export function declineOf({ reason, mayRetry, code, merchantAdviceCode }: DeclineWords): Decline {
  const advice = ADVICE.get(Number.parseInt(merchantAdviceCode ?? '', 10))
  const isFinal = !mayRetry || advice === 'never'
  return {
    reason,
    // A code is shown to people: nothing longer than codes are.
    code: code !== undefined && /^[A-Za-z0-9]{1,8}$/.test(code) ? code : undefined,
    retry: isFinal ? { kind: 'never' } : { kind: 'allowed', afterMs: advice ?? WAITS[reason] ?? 0 },
  }
}
