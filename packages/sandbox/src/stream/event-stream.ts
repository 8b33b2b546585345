import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, type Log, MINUTE_MS, SECOND_MS } from '@cofre/contracts'
import type { GatewayEnv } from '@cofre/gateway/http'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'

/** Something that happened to a store. */
export interface StreamEvent {
  /** Where a reader is who has it. */
  readonly id: string
  readonly event: string
  /** JSON. */
  readonly data: string
}

/** What happens to stores, in an order that never changes. */
export interface EventSource {
  /**
   * Where a new reader begins.
   * @param last - How many past events it wants.
   */
  start(storeId: string, last: number): Promise<string>
  /** Whether a text can be the id of an event. */
  isPlace(id: string): boolean
  /** What came behind a place, in order; undefined when the store may not read any more. */
  after(storeId: string, id: string): Promise<readonly StreamEvent[] | undefined>
}

interface StreamDeps {
  readonly log: Log
  /** Ends the streams: they would hold the port. */
  readonly stopping: AbortSignal
}

const CHECK_EVERY_MS = SECOND_MS / 2
/** Proxies close idle connections. */
const PING_EVERY_MS = 20 * SECOND_MS
/** A stream ends, and whoever follows it signs again: a secret that is replaced opens no other. */
const LIFE_MS = 10 * MINUTE_MS
const STREAMS_MAX = 10
const PAST_MAX = 1000

/**
 * Answers signed requests with what happens to their store, as server-sent events. A reader that
 * comes back with `Last-Event-ID` misses nothing. A store has at most ten streams in a process.
 */
export function createEventStreams({ log, stopping }: StreamDeps) {
  const open = new Map<string, number>()
  const count = (storeId: string, by: number): void => {
    const streams = (open.get(storeId) ?? 0) + by
    if (streams === 0) open.delete(storeId)
    else open.set(storeId, streams)
  }
  return async (context: Context<GatewayEnv>, source: EventSource): Promise<Response> => {
    const { id: storeId } = context.get('merchant')
    // Nobody would read what is written behind its answer.
    if (context.req.method === 'HEAD') return context.body(null)
    const place = await placeOf(context, source, storeId)
    if ((open.get(storeId) ?? 0) >= STREAMS_MAX) throw new ApiError('too_many_requests')
    count(storeId, 1)
    // Otherwise nginx keeps events until it has a page of them.
    context.header('X-Accel-Buffering', 'no')
    return streamSSE(context, async (stream) => {
      const ended = new AbortController()
      stream.onAbort(() => {
        ended.abort()
      })
      try {
        const signal = AbortSignal.any([ended.signal, stopping])
        await follow(stream, { after: (id) => source.after(storeId, id), place, signal })
      } catch (error) {
        log.error({ error, store: storeId }, 'a stream of the sandbox failed')
      } finally {
        count(storeId, -1)
      }
    })
  }
}

async function placeOf(
  { req }: Context<GatewayEnv>,
  source: EventSource,
  storeId: string,
): Promise<string> {
  const given = req.header('last-event-id') ?? ''
  if (source.isPlace(given)) return given
  const last = Number(req.query('last') ?? 0)
  if (Number.isInteger(last) && last >= 0 && last <= PAST_MAX)
    return await source.start(storeId, last)
  throw new ApiError([{ name: 'sandbox_request_invalid', property: 'last', constraint: 'maximum' }])
}

interface Following {
  readonly after: (id: string) => Promise<readonly StreamEvent[] | undefined>
  readonly place: string
  readonly signal: AbortSignal
}

async function follow(stream: SSEStreamingApi, { after, place, signal }: Following): Promise<void> {
  // Says where the reader is, so that it misses nothing even if it has seen nothing yet.
  await stream.writeSSE({ event: 'ready', id: place, data: '{}' })
  let last = place
  let silentMs = 0
  for (let livedMs = 0; livedMs < LIFE_MS && !signal.aborted; livedMs += CHECK_EVERY_MS) {
    const events = await after(last)
    if (events === undefined) return
    for (const event of events) await stream.writeSSE({ ...event })
    last = events.at(-1)?.id ?? last
    silentMs = events.length > 0 ? 0 : silentMs + CHECK_EVERY_MS
    if (silentMs >= PING_EVERY_MS) {
      await stream.write(': still here\n\n')
      silentMs = 0
    }
    await pause(CHECK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
