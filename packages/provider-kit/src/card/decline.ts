import {
  DAY_MS,
  HOUR_MS,
  type Decline,
  type DeclineReason,
  type RetryAdvice,
} from '@cofre/contracts'
import type { CodeMeaning } from './abecs-codes.js'

/**
 * The wait before a retry if the brand states none. Our own values: earlier retries hardly ever
 * succeed.
 */
const WAITS: Partial<Record<DeclineReason, number>> = {
  insufficient_funds: DAY_MS,
  amount_limit_exceeded: DAY_MS,
  attempts_exceeded: DAY_MS,
  issuer_unavailable: HOUR_MS,
  system_failure: HOUR_MS,
}

interface Wait {
  readonly afterMs: number
  readonly by?: 'brand'
}

const byBrand = (afterMs: number): Wait => ({ afterMs, by: 'brand' })

/**
 * Mastercard's merchant advice codes. Other codes lead to no automatic retry, like 06, 07, 08, 90
 * and 99 (since November 2026), or 45, which requires a PIN.
 */
const ADVICE: ReadonlyMap<number, Wait | 'never' | 'none'> = new Map<
  number,
  Wait | 'never' | 'none'
>([
  // New account data, a token's requirements, and kinds of cards: the issuer's code decides.
  [1, 'none'],
  [4, 'none'],
  [40, 'none'],
  [41, 'none'],
  [43, 'none'],
  [2, { afterMs: 3 * DAY_MS }],
  [3, 'never'],
  [21, 'never'],
  [24, byBrand(HOUR_MS)],
  [25, byBrand(DAY_MS)],
  [26, byBrand(2 * DAY_MS)],
  [27, byBrand(4 * DAY_MS)],
  [28, byBrand(6 * DAY_MS)],
  [29, byBrand(8 * DAY_MS)],
  [30, byBrand(10 * DAY_MS)],
])

export interface DeclineFacts extends Pick<CodeMeaning, 'reason'> {
  /** Undefined if no table has the code. */
  readonly mayRetry: boolean | undefined
  readonly code: string | undefined
  /** `03`, or `03 : Do not try again`. */
  readonly merchantAdviceCode?: string | undefined
}

/** A refusal, by table or advice, overrides a wait, and a wait overrides doubt. */
export function declineOf(facts: DeclineFacts): Decline {
  const { reason, code } = facts
  return {
    reason,
    // People see the code: anything longer than a code is dropped.
    code: code !== undefined && /^[A-Za-z0-9]{1,8}$/.test(code) ? code : undefined,
    retry: retryOf(facts),
  }
}

function retryOf({ reason, mayRetry, merchantAdviceCode = '' }: DeclineFacts): RetryAdvice {
  const advice = adviceOf(merchantAdviceCode)
  if (mayRetry === false || advice === 'never') return { kind: 'never' }
  if (typeof advice === 'object') return { kind: 'allowed', ...advice }
  if (mayRetry === undefined || advice === undefined) return { kind: 'unknown' }
  return { kind: 'allowed', afterMs: WAITS[reason] ?? 0 }
}

/** Undefined for unknown advice. */
function adviceOf(text: string): Wait | 'never' | 'none' | undefined {
  return text === '' ? 'none' : ADVICE.get(Number.parseInt(text, 10))
}
