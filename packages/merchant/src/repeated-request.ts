import { SECOND_MS } from '@cofre/contracts/shop'
import type { Machine } from './machine.js'
import type { MerchantApiError, MerchantConnectionError } from './merchant-error.js'

const FIRST_WAIT_MS = SECOND_MS / 2
const WAIT_MAX_MS = 8 * SECOND_MS

const SERVER_ERROR_STATUS = 500
const TOO_MANY_REQUESTS = 429
/** An earlier copy of the request is still in progress, or a proxy's copy used the same nonce. */
const AFTER_A_COPY = [90013, 90017]
/** Returned before the service looks for an earlier request with the same key. */
const STATUSES_BEFORE_THE_KEY = [401, 403, 408, 421, TOO_MANY_REQUESTS, 431]

type Failure = MerchantApiError | MerchantConnectionError

/** The result of one attempt. */
export type Attempt<Body> =
  | { readonly body: Body }
  | { readonly error: Failure; readonly retryAfterMs: number }

/** The result of the last attempt. */
export type RepeatedResult<Body> =
  | { readonly body: Body }
  /** `isInDoubt`: it, or an earlier attempt that it does not resolve, may have had an effect. */
  | { readonly error: Failure; readonly isInDoubt: boolean; readonly cause?: unknown }

export interface Repetition {
  /** No attempt begins later than this after the first. */
  readonly retryBudgetMs: number
  readonly machine: Machine
  /** True if a request may be sent again although it may already have had an effect. */
  readonly isRepeatable: boolean
}

/**
 * Repeats a request until it is answered or refused, or the time is up. If `attempt` throws after
 * an attempt in doubt, the error becomes the outcome's cause.
 */
export async function repeated<Body>(
  attempt: () => Promise<Attempt<Body>>,
  { retryBudgetMs, machine, isRepeatable }: Repetition,
): Promise<RepeatedResult<Body>> {
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
    // A random pause, so that shops that fail together do not return together.
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

/** True if the service has judged this very request, after all earlier ones with its key. */
function isDecided({ status = SERVER_ERROR_STATUS, errors }: Failure): boolean {
  return errors.length > 0 && !STATUSES_BEFORE_THE_KEY.includes(status)
}

/** From 0 to 1. */
function chance(machine: Machine): number {
  return (machine.randomBytes(1)[0] ?? 0) / 255
}
