import { type Answer, type NotSentAnswer, Secret, type UnknownAnswer } from '@cofre/contracts'
import {
  type CallAnswer,
  type CallPriority,
  type NotSentReason,
  type OutboundCall,
  type OutboundClient,
  type RefusedCall,
  notSent,
} from '@cofre/provider-kit/outbound'
import type { z } from 'zod'
import type { PixApiAccount } from './pix-api-account.js'
import { problemOf } from './pix-api-problem.js'
import type { PixApiResource } from './pix-api-profiles.js'

/** An answer whose `not-sent` has a reason, from which a person learns what to do. */
export type PixApiAnswer<T> =
  | Exclude<Answer<T>, NotSentAnswer>
  | (NotSentAnswer & { readonly reason: PixApiReason })
export type PixApiReason = NotSentReason | 'forbidden'

/** An answer about another charge decides nothing. */
export const ANOTHER_NAME = {
  kind: 'unknown',
  detail: 'the bank answered with something of another name',
} as const

/** One call of the API Pix. */
export interface PixApiCall<T> {
  readonly operation: string
  readonly method: OutboundCall['method']
  readonly resource: PixApiResource
  /** The encoded path after the resource. */
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly answer: z.ZodType<T>
  readonly priority?: CallPriority
}

export type PixApiCaller = <T>(call: PixApiCall<T>) => Promise<PixApiAnswer<T>>

/** @param client - Adds the account's access token. */
export function createPixApiCaller(
  account: Pick<PixApiAccount, 'hosts' | 'profile' | 'credentials'>,
  client: OutboundClient,
): PixApiCaller {
  const { hosts, profile } = account
  const accountHeaders = profile.headers(account.credentials)
  return async ({ operation, method, resource, path, body, headers, answer, priority }) => {
    const version = profile.pathVersion[resource]
    const base = version === undefined ? hosts.api : `${hosts.api}/${version}`
    const sent = await client.send({
      operation,
      method,
      url: `${base}/${resource}${path}`,
      headers: { ...accountHeaders, ...headers },
      ...(body !== undefined && {
        body: { contentType: 'application/json', text: new Secret(JSON.stringify(body)) },
      }),
      ...(priority !== undefined && { priority }),
    })
    return answerOf(sent, answer)
  }
}

/** The result of a call, parsed by the schema of its answer. */
export function answerOf<T>(sent: CallAnswer, answer: z.ZodType<T>): PixApiAnswer<T> {
  switch (sent.kind) {
    case 'not-sent':
      return sent
    case 'unknown':
      return unknown(sent.detail, sent.retryAfterMs)
    case 'done': {
      const { body } = sent.value
      const parsed = answer.safeParse(body.kind === 'json' ? body.value : undefined)
      if (parsed.success) return { kind: 'done', value: parsed.data }
      const fields = parsed.error.issues.map(({ path }) => path.join('.')).slice(0, 5)
      return unknown(`the answer is not understood: ${fields.join(', ')}`)
    }
    case 'refused':
      return refusalOf(sent)
  }
}

function refusalOf({ body, retryAfterMs, status, ...sent }: RefusedCall): PixApiAnswer<never> {
  if (retryAfterMs !== undefined) return notSent('paused_by_provider', sent.detail, retryAfterMs)
  const { kind, detail } = problemOf(status, body)
  switch (kind) {
    case 'absent':
      return { kind }
    case 'refused':
      return { kind, detail }
    case 'credentials_refused':
    case 'forbidden':
      return { kind: 'not-sent', cause: 'login', reason: kind, detail }
    case 'not_readable':
      return unknown(detail)
  }
}

function unknown(detail: string, retryAfterMs?: number): UnknownAnswer {
  return { kind: 'unknown', detail, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/**
 * True if the request may have been carried out: the result is unknown, or it was refused as a
 * repetition would be.
 */
export function isPossiblyDone({ kind }: PixApiAnswer<unknown>): boolean {
  return kind === 'unknown' || kind === 'absent' || kind === 'refused'
}

/** A request under our own name, and its look-up. */
export interface NamedRequest<T> {
  readonly send: () => Promise<PixApiAnswer<T>>
  readonly find: () => Promise<PixApiAnswer<T>>
  /** No further call begins after this time, because a person waits. */
  readonly withinMs: number
}

/**
 * Sends a request under our own name. In doubt, it looks the name up at the bank. If the bank has
 * nothing after an unknown outcome, the request is sent once more.
 */
export async function settled<T>({
  send: ask,
  find,
  withinMs,
}: NamedRequest<T>): Promise<PixApiAnswer<T>> {
  const untilMs = performance.now() + withinMs
  const first = await ask()
  if (!isPossiblyDone(first)) return first
  if (performance.now() >= untilMs) return unknownAfter(first, NO_TIME)
  const found = await find()
  if (found.kind === 'done') return found
  if (found.kind !== 'absent') return unknownAfter(first, found)
  if (first.kind !== 'unknown') return asRefused(first)
  if (performance.now() >= untilMs) return unknownAfter(first, found)
  const second = await ask()
  if (second.kind === 'not-sent') return unknownAfter(first, second)
  if (!isPossiblyDone(second)) return second
  if (performance.now() >= untilMs) return unknownAfter(second, NO_TIME)
  // The first request may have arrived meanwhile, and caused the refusal of the second.
  const after = await find()
  if (after.kind === 'done') return after
  // A bank that still processes the first request refuses the second, and shows neither yet.
  return unknownAfter(first, after.kind === 'absent' ? second : after)
}

const NO_TIME = { kind: 'unknown', detail: 'no time is left to look' } as const

/** An unknown object in answer to a write means that the path or the object is wrong. */
export function asRefused<T>(answer: PixApiAnswer<T>): PixApiAnswer<T> {
  return answer.kind === 'absent' ? { kind: 'refused', detail: 'no such object' } : answer
}

/** Later answers left the result unknown: an earlier request may have been carried out. */
export function unknownAfter(
  doubt: PixApiAnswer<unknown>,
  later: PixApiAnswer<unknown>,
): UnknownAnswer {
  const retryAfterMs = 'retryAfterMs' in later ? later.retryAfterMs : undefined
  return unknown(`${answerText(doubt)}; then ${answerText(later)}`, retryAfterMs)
}

/** One line for an operator. */
export function answerText(answer: PixApiAnswer<unknown>): string {
  return 'detail' in answer ? `${answer.kind}: ${answer.detail}` : answer.kind
}
