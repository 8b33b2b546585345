import { Secret } from '@cofre/contracts'
import type { CallOutcome, CallPriority, OutboundCall, OutboundClient } from '@cofre/outbound'
import type { z } from 'zod'
import type { BankResult, UnknownResult } from '../model/bank-result.js'
import { type PixApiAccount, hostsOf } from './pix-api-account.js'
import { problemOf } from './pix-api-problem.js'
import { type PixApiResource, pixApiProfile } from './pix-api-profiles.js'

/** One call of the API Pix. */
export interface PixApiCall<T> {
  readonly operation: string
  readonly method: OutboundCall['method']
  readonly resource: PixApiResource
  /** What follows the resource, as it stands in the address. */
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly answer: z.ZodType<T>
  readonly priority?: CallPriority
}

export type PixApiCaller = <T>(call: PixApiCall<T>) => Promise<BankResult<T>>

/** @param client - Sends the account's access token along. */
export function createPixApiCaller(account: PixApiAccount, client: OutboundClient): PixApiCaller {
  const { api } = hostsOf(account)
  const profile = pixApiProfile(account.profile)
  const accountHeaders = profile.headers(account.credentials)
  return async ({ operation, method, resource, path, body, headers, answer, priority }) => {
    const version = profile.pathVersion[resource]
    const base = version === undefined ? api : `${api}/${version}`
    const outcome = await client.send({
      operation,
      method,
      url: `${base}/${resource}${path}`,
      headers: { ...accountHeaders, ...headers },
      ...(body !== undefined && {
        body: { contentType: 'application/json', text: new Secret(JSON.stringify(body)) },
      }),
      ...(priority !== undefined && { priority }),
    })
    return resultOf(outcome, answer)
  }
}

function resultOf<T>(outcome: CallOutcome, answer: z.ZodType<T>): BankResult<T> {
  switch (outcome.kind) {
    case 'not_sent':
      return { ...outcome, kind: 'not_asked' }
    case 'unknown': {
      const { reason, detail, retryAfterMs } = outcome
      return unknown(reason, detail, retryAfterMs)
    }
    case 'accepted': {
      const parsed = answer.safeParse(outcome.body.kind === 'json' ? outcome.body.value : undefined)
      if (parsed.success) return { kind: 'done', value: parsed.data }
      const fields = parsed.error.issues.map(({ path }) => path.join('.')).slice(0, 5)
      return unknown('answer_unreadable', `not understood: ${fields.join(', ')}`)
    }
    case 'refused':
      return refusalOf(outcome)
  }
}

function refusalOf(outcome: CallOutcome & { kind: 'refused' }): BankResult<never> {
  const { status, body, retryAfterMs } = outcome
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (status === 429)
    return { kind: 'not_asked', reason: 'paused_by_provider', detail: 'status 429', ...pause }
  const problem = problemOf(status, body)
  if (problem.kind !== 'not_readable') return problem
  return unknown('answer_unreadable', `status ${status}: ${problem.detail}`)
}

function unknown(
  reason: UnknownResult['reason'],
  detail: string,
  retryAfterMs?: number,
): UnknownResult {
  return { kind: 'unknown', reason, detail, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/**
 * Whether what was asked for may have been done after all: nobody knows, or it was refused as it
 * is refused when it is done twice.
 */
function isInDoubt(result: BankResult<unknown>): boolean {
  if (result.kind === 'unknown' || result.kind === 'absent') return true
  if (result.kind !== 'refused') return false
  const { reason } = result.refusal
  return reason === 'request_invalid' || reason === 'operation_invalid' || reason === 'other'
}

/** How something is asked for and looked for under a name of ours. */
export interface Settlement<T> {
  readonly ask: () => Promise<BankResult<T>>
  readonly look: () => Promise<BankResult<T>>
  /** After that no further call begins: somebody waits. */
  readonly withinMs: number
}

/**
 * Asks for something under a name of ours. On doubt the bank is asked what it has under that name;
 * where it has nothing after an unknown outcome, the same is asked for once more.
 */
export async function settled<T>({ ask, look, withinMs }: Settlement<T>): Promise<BankResult<T>> {
  const untilMs = performance.now() + withinMs
  const first = await ask()
  if (!isInDoubt(first)) return first
  if (performance.now() >= untilMs) return inDoubt(first, NO_TIME)
  const found = await look()
  if (found.kind === 'done') return found
  if (found.kind !== 'absent') return inDoubt(first, found)
  if (first.kind !== 'unknown') return asRefused(first)
  if (performance.now() >= untilMs) return inDoubt(first, found)
  const second = await ask()
  if (second.kind === 'not_asked') return inDoubt(first, second)
  if (!isInDoubt(second)) return second
  if (performance.now() >= untilMs) return inDoubt(second, NO_TIME)
  // The bank may have taken the first request meanwhile, and refuse the second for that.
  const after = await look()
  if (after.kind === 'done') return after
  if (after.kind !== 'absent') return inDoubt(second, after)
  return second.kind === 'unknown' ? second : asRefused(second)
}

const NO_TIME = { kind: 'unknown', reason: 'timeout', detail: 'no time is left to look' } as const

/** To write something and hear that it is unknown means that the path or its object is wrong. */
function asRefused<T>(result: BankResult<T>): BankResult<T> {
  if (result.kind !== 'absent') return result
  const refusal = { reason: 'operation_invalid', status: 404, detail: 'no such object' } as const
  return { kind: 'refused', refusal }
}

/** What came later did not settle the doubt: an earlier request may have been carried out. */
function inDoubt(doubt: BankResult<unknown>, later: BankResult<unknown>): UnknownResult {
  const reason = doubt.kind === 'unknown' ? doubt.reason : 'answer_unreadable'
  const retryAfterMs = 'retryAfterMs' in later ? later.retryAfterMs : undefined
  return unknown(reason, `${wordOf(doubt)}; then ${wordOf(later)}`, retryAfterMs)
}

function wordOf(result: BankResult<unknown>): string {
  switch (result.kind) {
    case 'unknown':
    case 'not_asked':
      return `${result.kind}: ${result.detail}`
    case 'refused':
      return `refused: ${result.refusal.detail}`
    case 'absent':
    case 'done':
      return result.kind
  }
}
