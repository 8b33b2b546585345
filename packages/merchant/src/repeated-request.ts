import { SECOND_MS } from '@cofre/contracts/shop'
import type { Machine } from './machine.js'
import type { MerchantApiError, MerchantConnectionError } from './merchant-error.js'

const FIRST_WAIT_MS = SECOND_MS / 2
const WAIT_MAX_MS = 8 * SECOND_MS

const SERVER_ERROR_STATUS = 500
const TOO_MANY_REQUESTS = 429
/** An earlier copy of the request is still under way, or came with the same nonce (a proxy's). */
const AFTER_A_COPY = [90013, 90017]
/** Answered before the service looks for an earlier request with the same key. */
const STATUSES_BEFORE_THE_KEY = [401, 403, 408, 421, TOO_MANY_REQUESTS, 431]

type Failure = MerchantApiError | MerchantConnectionError

/** What came of one attempt. */
export type Attempt<Body> =
  | { readonly body: Body }
  | { readonly error: Failure; readonly retryAfterMs: number }

/** What came of the last one. */
export type Outcome<Body> =
  | { readonly body: Body }
  /** `isInDoubt`: it, or one before of which it says nothing, may have had an effect. */
  | { readonly error: Failure; readonly isInDoubt: boolean; readonly cause?: unknown }

export interface Repetition {
  /** No attempt begins later than this after the first. */
  readonly retryBudgetMs: number
  readonly machine: Machine
  /** Whether a request may be sent again of which nobody knows whether it had an effect. */
  readonly isRepeatable: boolean
}

/**
 * Attempts a request until it is answered, refused, or the time is up. What `attempt` throws after
 * one in doubt becomes its cause.
 */
export async function repeated<Body>(
  attempt: () => Promise<Attempt<Body>>,
  { retryBudgetMs, machine, isRepeatable }: Repetition,
): Promise<Outcome<Body>> {
  const begunMs = machine.elapsedMs()
  let isInDoubt = false
  let last: Failure | undefined
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, WAIT_MAX_MS)) {
    const attempted = await attempt().catch((cause: unknown) => ({ cause }))
    if ('body' in attempted) return attempted
    if ('cause' in attempted) {
      if (last === undefined || !isInDoubt) throw attempted.cause
      return { error: last, isInDoubt, cause: attempted.cause }
    }
    const { error, retryAfterMs } = attempted
    last = error
    isInDoubt = leavesDoubt(error) || (isInDoubt && !isDecided(error))
    const mayRepeat = error.status === TOO_MANY_REQUESTS || (isRepeatable && leavesDoubt(error))
    // Shops that fail together do not come back together.
    const pauseMs = Math.max(retryAfterMs, (waitMs * (1 + chance(machine))) / 2)
    const spentMs = machine.elapsedMs() - begunMs
    if (!mayRepeat || spentMs + pauseMs > retryBudgetMs) return { error, isInDoubt }
    await machine.sleep(pauseMs)
  }
}

function leavesDoubt({ status = SERVER_ERROR_STATUS, ...error }: Failure): boolean {
  return (
    status >= SERVER_ERROR_STATUS || error.errors.some(({ code }) => AFTER_A_COPY.includes(code))
  )
}

/** Whether the service has judged this very request, after all earlier ones with its key. */
function isDecided({ status = SERVER_ERROR_STATUS, errors }: Failure): boolean {
  return errors.length > 0 && !STATUSES_BEFORE_THE_KEY.includes(status)
}

/** From 0 to 1. */
function chance(machine: Machine): number {
  return (machine.randomBytes(1)[0] ?? 0) / 255
}
