import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import {
  MerchantApiError,
  type MerchantClientOptions,
  MerchantConnectionError,
  readErrors,
  signRequest,
} from '@cofre/merchant'
import { type ServerSentEvent, readEvents } from './server-sent-events.js'

/** What somebody hears who follows the sandbox. */
export type Followed =
  | { readonly kind: 'connected' }
  /** The connection is lost, and will be made again. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'event'; readonly data: unknown }

/** The sandbox writes more often. */
const SILENT_MAX_MS = MINUTE_MS
const CONNECT_MAX_MS = 10 * SECOND_MS
const PAUSE_MAX_MS = 10 * SECOND_MS
/** Refused now, and perhaps not later. */
const PASSING = [408, 421, 429]

interface FollowRequest {
  /** Path with its query. */
  readonly target: string
  readonly signal: AbortSignal
  /** Before the next connection; longer after each that fails. Default 1,000. */
  readonly pauseMs?: number
}

/**
 * Follows a stream of the sandbox, over as many connections as it takes: each goes on where the one
 * before was. Ends with the signal.
 * @throws MerchantApiError when the sandbox refuses for good
 * @throws MerchantConnectionError when it does not answer at the start
 */
export async function* followSandbox(
  options: MerchantClientOptions,
  { target, signal, pauseMs = SECOND_MS }: FollowRequest,
): AsyncGenerator<Followed> {
  let place: string | undefined
  let failures = 0
  const isEnded = (): boolean => signal.aborted
  while (!isEnded()) {
    try {
      for await (const event of eventsFrom(options, { target, place, signal })) {
        const isFirst = place === undefined
        place = event.id
        if (isFirst || failures > 0) yield { kind: 'connected' }
        failures = 0
        if (event.name !== 'ready') yield { kind: 'event', data: JSON.parse(event.data) }
      }
    } catch (error) {
      if (isEnded()) return
      if (place === undefined || isFinal(error)) throw error
      if (failures === 0) yield { kind: 'lost' }
      failures += 1
    }
    const longer = 2 ** Math.max(0, failures - 1)
    const waitMs = Math.min(pauseMs * longer, PAUSE_MAX_MS)
    await pause(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

function isFinal(error: unknown): boolean {
  if (error instanceof MerchantApiError)
    return error.isOutcomeKnown && !PASSING.includes(error.status)
  return !(error instanceof MerchantConnectionError)
}

interface Connecting {
  readonly target: string
  readonly place: string | undefined
  readonly signal: AbortSignal
}

/** The events of one connection. */
async function* eventsFrom(
  options: MerchantClientOptions,
  { target, place, signal }: Connecting,
): AsyncGenerator<ServerSentEvent> {
  const silence = new AbortController()
  const within = (ms: number) =>
    setTimeout(() => {
      silence.abort()
    }, ms)
  let timer = within(CONNECT_MAX_MS)
  async function* watched(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      clearTimeout(timer)
      timer = within(SILENT_MAX_MS)
      yield chunk
    }
  }
  try {
    const either = AbortSignal.any([signal, silence.signal])
    yield* readEvents(watched(await connect(options, { target, place, signal: either })))
  } catch (error) {
    if (error instanceof MerchantApiError || error instanceof MerchantConnectionError) throw error
    throw new MerchantConnectionError('network', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** @throws MerchantApiError when the sandbox refuses, MerchantConnectionError for another answer */
async function connect(
  { baseUrl, storeId, secret, fetch = globalThis.fetch }: MerchantClientOptions,
  { target, place, signal }: Connecting,
): Promise<AsyncIterable<Uint8Array>> {
  const key = typeof secret === 'string' ? secret : secret()
  const response = await fetch(baseUrl + target, {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `${storeId}:${signRequest(key, target, undefined)}`,
      ...(place !== undefined && { 'Last-Event-ID': place }),
    },
    redirect: 'manual',
    signal,
  })
  if (response.status !== 200)
    throw new MerchantApiError(response.status, readErrors(parseJson(await response.text())))
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream') === true
  if (!isStream || response.body === null) throw new MerchantConnectionError('broken-answer')
  return response.body
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A proxy's page: it has no errors that could be read.
    return undefined
  }
}
