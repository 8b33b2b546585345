import { DAY_MS, type Decline, type DeclineReason } from '@cofre/contracts'

/** How long a decline counts. */
export const DECLINE_RETENTION_MS: number = 30 * DAY_MS

/** A decline of one card at one store. */
export interface CountedDecline {
  readonly atMs: number
  /** The brand forbids to try this card again. */
  readonly isFinal: boolean
  /** The brand charges for trying it sooner. */
  readonly waitsUntilMs: number | undefined
}

interface Limit {
  readonly declines: number
  readonly withinMs: number
}

/** The brands' limits for one card at one store, beyond which they fine it. */
const LIMITS: ReadonlyMap<string, readonly Limit[]> = new Map([
  ['visa', [{ declines: 20, withinMs: DECLINE_RETENTION_MS }]],
  [
    'mastercard',
    [
      { declines: 7, withinMs: DAY_MS },
      { declines: 35, withinMs: DECLINE_RETENTION_MS },
    ],
  ],
  ['elo', [{ declines: 15, withinMs: DECLINE_RETENTION_MS }]],
])

/** Our limits for brands that name none. */
const OTHER_LIMITS: readonly Limit[] = [{ declines: 15, withinMs: DECLINE_RETENTION_MS }]

/**
 * Reasons in the input, the request or the set-up, not in the card: a corrected payment is no
 * retry.
 */
const CORRECTABLE: readonly DeclineReason[] = [
  'security_code_invalid',
  'expired_card',
  'pin_invalid',
  'invalid_amount',
  'invalid_installments',
  'wrong_function',
  'authentication_required',
  'merchant_problem',
  'system_failure',
]

/** A decline's effect on the next try of its card. */
export function countedDecline(
  { reason, retry }: Decline,
  { atMs, heardAtMs }: { readonly atMs: number; readonly heardAtMs: number },
): CountedDecline {
  return {
    atMs,
    isFinal: retry.kind === 'never' && !CORRECTABLE.includes(reason),
    waitsUntilMs:
      retry.kind === 'allowed' && retry.by === 'brand' ? heardAtMs + retry.afterMs : undefined,
  }
}

/** The decline of a card that the brands forbid to try now; undefined if it may be tried. */
export function retryRefusal(
  brand: string,
  declines: readonly CountedDecline[],
  nowMs: number,
): Decline | undefined {
  if (declines.some(({ isFinal }) => isFinal))
    return { reason: 'retry_not_allowed', retry: { kind: 'never' } }
  const limits = LIMITS.get(brand) ?? OTHER_LIMITS
  const afterMs = Math.max(
    ...limits.map((limit) => waitOf(limit, declines, nowMs)),
    ...declines.map(({ waitsUntilMs = 0 }) => waitsUntilMs - nowMs),
  )
  return afterMs > 0
    ? { reason: 'retry_not_allowed', retry: { kind: 'allowed', afterMs } }
    : undefined
}

/** The time until one decline less counts; 0 if no wait is needed. */
function waitOf(
  { declines: most, withinMs }: Limit,
  declines: readonly CountedDecline[],
  nowMs: number,
): number {
  const times = declines.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs - withinMs)
  const [last] = times.toSorted((one, other) => other - one).slice(most - 1)
  return last === undefined ? 0 : last + withinMs - nowMs
}
