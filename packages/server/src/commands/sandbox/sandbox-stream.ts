import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import { MerchantApiError, MerchantConnectionError, type SandboxClient } from '@cofre/merchant'
import { growingMs } from '@cofre/work'
import { type ServerSentEvent, readEvents } from './server-sent-events.js'

/** A message to a follower of the sandbox. */
export type Followed =
  | { readonly kind: 'connected' }
  /** The connection is lost, and is being restored. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'event'; readonly data: unknown }

/** The sandbox writes more often than this. */
const SILENT_MAX_MS = MINUTE_MS
const CONNECT_MAX_MS = 10 * SECOND_MS
const PAUSE_MAX_MS = 10 * SECOND_MS
/** Refusals that may pass. */
const PASSING = [408, 421, 429]

interface FollowRequest {
  /** Path with its query. */
  readonly target: string
  readonly signal: AbortSignal
  /** Pause before the next connection; grows after each failure. Default 1,000. */
  readonly pauseMs?: number
}

/**
 * Follows a stream of the sandbox over as many connections as needed: each continues where the
 * previous one ended. Ends with the signal.
 * @throws MerchantApiError when the sandbox refuses permanently
 * @throws MerchantConnectionError when it does not answer the first time
 */
export async function* followSandbox(
  sandbox: SandboxClient,
  { target, signal, pauseMs = SECOND_MS }: FollowRequest,
): AsyncGenerator<Followed> {
  let place: string | undefined
  let failures = 0
  const isEnded = (): boolean => signal.aborted
  while (!isEnded()) {
    try {
      for await (const event of eventsFrom(sandbox, { target, place, signal })) {
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
    const waitMs = growingMs(pauseMs, PAUSE_MAX_MS, Math.max(0, failures - 1))
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
  sandbox: SandboxClient,
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
    const stream = await sandbox.openStream({
      target,
      lastEventId: place,
      signal: AbortSignal.any([signal, silence.signal]),
    })
    yield* readEvents(watched(stream))
  } catch (error) {
    if (error instanceof MerchantApiError || error instanceof MerchantConnectionError) throw error
    throw new MerchantConnectionError('network', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
