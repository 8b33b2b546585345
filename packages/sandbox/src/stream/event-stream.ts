import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, type Clock, type Log, MINUTE_MS, SECOND_MS, type Secret } from '@cofre/contracts'
import { type Merchant, liveSecrets } from '@cofre/gateway'
import type { GatewayEnv } from '@cofre/gateway/http'
import { createLimited } from '@cofre/work'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { FindsStores } from '../desk/sandbox-desk.js'

/** Something that happened to a store. */
export interface StreamEvent {
  /** Where a reader is who has it. */
  readonly id: string
  readonly event: string
  /** JSON. */
  readonly data: string
}

/** What happens to stores. */
export interface EventSource {
  /**
   * Where a new reader begins.
   * @param last - How many past events it wants.
   */
  start(storeId: string, last: number): Promise<string>
  /** Whether a text can be the id of an event. */
  isPlace(id: string): boolean
  readFrom(storeId: string, place: string): EventReader
}

/** Reads what happens to one store. */
export interface EventReader {
  /** Where it is: a reader that begins there misses nothing. */
  readonly place: () => string
  /** What has come since the last time, in order. */
  readonly next: (store: Merchant) => Promise<readonly StreamEvent[]>
}

interface StreamDeps {
  readonly backOffice: FindsStores
  readonly machineClock: Clock
  readonly log: Log
  /** Ends the streams: they would hold the port. */
  readonly stopping: AbortSignal
  readonly lifeMs?: number
}

const CHECK_EVERY_MS = SECOND_MS / 2
/** Proxies close idle connections. */
const PING_EVERY_MS = 20 * SECOND_MS
/** A stream ends, and whoever follows it signs again. */
const LIFE_MS = 10 * MINUTE_MS
const STREAMS_MAX = 10
const PAST_MAX = 1000

/**
 * Answers signed requests with what happens to their store, as server-sent events. A reader that
 * comes back with `Last-Event-ID` misses nothing. A store has at most ten streams in a process.
 */
export function createEventStreams({ backOffice, machineClock, log, ...deps }: StreamDeps) {
  const { stopping, lifeMs = LIFE_MS } = deps
  const limited = createLimited()
  /** The store, while the secrets sign that a stream of its was opened under. */
  const readerOf = async (opener: Merchant): Promise<Merchant | undefined> => {
    const store = await backOffice.findMerchant(opener.id)
    const nowMs = machineClock.now()
    const live = store?.enabled === true ? liveSecrets(store, nowMs) : []
    const isLive = (secret: Secret<string>): boolean =>
      live.some((other) => other.reveal() === secret.reveal())
    return liveSecrets(opener, nowMs).every(isLive) ? store : undefined
  }
  return async (context: Context<GatewayEnv>, source: EventSource): Promise<Response> => {
    const opener = context.get('merchant')
    const { id: storeId } = opener
    // Nobody would read what is written behind its answer.
    if (context.req.method === 'HEAD') return context.body(null)
    const place = await placeOf(context, source, storeId)
    const giveBack = limited(storeId, STREAMS_MAX)
    if (giveBack === undefined) throw new ApiError('too_many_requests')
    // Otherwise nginx keeps events until it has a page of them.
    context.header('X-Accel-Buffering', 'no')
    return streamSSE(context, async (stream) => {
      const ended = new AbortController()
      const end = (): void => {
        ended.abort()
      }
      stream.onAbort(end)
      const life = setTimeout(end, lifeMs)
      life.unref()
      try {
        const events = source.readFrom(storeId, place)
        const signal = AbortSignal.any([ended.signal, stopping])
        const isRead = await follow(stream, { events, reader: () => readerOf(opener), signal })
        // What is written and not read would hold the connection.
        if (!isRead) context.env.outgoing?.destroy()
      } catch (error) {
        log.error({ error, store: storeId }, 'a stream of the sandbox failed')
      } finally {
        clearTimeout(life)
        giveBack()
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
  readonly events: EventReader
  /** Who reads; undefined when it may not any more. */
  readonly reader: () => Promise<Merchant | undefined>
  readonly signal: AbortSignal
}

/** Writes until the signal, or until the reader may not read. False: it has stopped reading. */
async function follow(
  stream: SSEStreamingApi,
  { events, reader, signal }: Following,
): Promise<boolean> {
  const ended = new Promise<false>((resolve) => {
    const end = (): void => {
      resolve(false)
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
  const write = (event: StreamEvent): Promise<boolean> =>
    Promise.race([stream.writeSSE({ ...event }).then(() => true), ended])
  // Says where the reader is, so that it misses nothing even if it has seen nothing for long.
  const writePlace = () => write({ event: 'ready', id: events.place(), data: '{}' })
  if (!(await writePlace())) return false
  let silentMs = 0
  while (!signal.aborted) {
    const store = await reader()
    if (store === undefined) return true
    const found = await events.next(store)
    for (const event of found) if (!(await write(event))) return false
    silentMs = found.length > 0 ? 0 : silentMs + CHECK_EVERY_MS
    if (silentMs >= PING_EVERY_MS) {
      if (!(await writePlace())) return false
      silentMs = 0
    }
    await pause(CHECK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return true
}
