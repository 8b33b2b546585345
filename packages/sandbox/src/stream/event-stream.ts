import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, type Clock, type Log, MINUTE_MS, SECOND_MS, type Secret } from '@cofre/contracts'
import { type Merchant, liveKeys } from '@cofre/gateway'
import type { GatewayEnv } from '@cofre/gateway/http'
import { createLimited } from '@cofre/work'
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { FindsStores } from '../desk/sandbox-desk.js'

/** An event of a store. */
export interface StreamEvent {
  /** The position of a reader that has received this event. */
  readonly id: string
  readonly event: string
  /** JSON. */
  readonly data: string
}

/** A source of stores' events. */
export interface EventSource {
  /**
   * The position of a new reader.
   * @param last - The number of past events to include.
   */
  start(storeId: string, last: number): Promise<string>
  /** True if a text can be an event's id. */
  isPosition(id: string): boolean
  readFrom(storeId: string, place: string): EventReader
}

/** Reads the events of one store. */
export interface EventReader {
  /** Its position: a reader that starts there misses nothing. */
  readonly place: () => string
  /** The new events since the last call, in order. */
  readonly next: (store: Merchant) => Promise<readonly StreamEvent[]>
}

interface StreamDeps {
  readonly backOffice: FindsStores
  readonly machineClock: Clock
  readonly log: Log
  /** Ends the streams, which would otherwise keep the port open. */
  readonly stopping: AbortSignal
  readonly lifeMs?: number
}

const CHECK_EVERY_MS = SECOND_MS / 2
/** Proxies close idle connections. */
const PING_EVERY_MS = 20 * SECOND_MS
/** A stream ends after this time, and its reader signs a new request. */
const LIFE_MS = 10 * MINUTE_MS
const STREAMS_MAX = 10
const PAST_MAX = 1000

/**
 * Answers signed requests with their store's events, as server-sent events. A reader that returns
 * with `Last-Event-ID` misses nothing. A store has at most ten streams per process.
 */
export function createEventStreams({ backOffice, machineClock, log, ...deps }: StreamDeps) {
  const { stopping, lifeMs = LIFE_MS } = deps
  const limited = createLimited()
  /** The store, as long as the key from the stream's opening signs with the secrets of then. */
  const readerOf = async (opener: Merchant, keyId: string): Promise<Merchant | undefined> => {
    const store = await backOffice.findMerchant(opener.id)
    const nowMs = machineClock.now()
    const secretsIn = (merchant: Merchant): readonly Secret<string>[] => {
      const keys = merchant.enabled ? liveKeys(merchant, nowMs) : []
      return keys.find(({ id }) => id === keyId)?.secrets ?? []
    }
    const live = store === undefined ? [] : secretsIn(store)
    const isLive = (secret: Secret<string>): boolean =>
      live.some((other) => other.reveal() === secret.reveal())
    const before = secretsIn(opener)
    return before.length > 0 && before.every(isLive) ? store : undefined
  }
  return async (context: Context<GatewayEnv>, source: EventSource): Promise<Response> => {
    const opener = context.get('merchant')
    const { id: storeId } = opener
    const { id: keyId } = context.get('key')
    // A body after this answer would be unread.
    if (context.req.method === 'HEAD') return context.body(null)
    const place = await streamPositionOf(context, source, storeId)
    const release = limited(storeId, STREAMS_MAX)
    if (release === undefined) throw new ApiError('too_many_requests')
    // Otherwise nginx buffers events until a page is full.
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
        const isRead = await follow(stream, {
          events,
          reader: () => readerOf(opener, keyId),
          signal,
        })
        // Written but unread data would keep the connection open.
        if (!isRead) context.env.outgoing?.destroy()
      } catch (error) {
        log.error({ error, store: storeId }, 'a stream of the sandbox failed')
      } finally {
        clearTimeout(life)
        release()
      }
    })
  }
}

async function streamPositionOf(
  { req }: Context<GatewayEnv>,
  source: EventSource,
  storeId: string,
): Promise<string> {
  const given = req.header('last-event-id') ?? ''
  if (source.isPosition(given)) return given
  const last = Number(req.query('last') ?? 0)
  if (Number.isInteger(last) && last >= 0 && last <= PAST_MAX)
    return await source.start(storeId, last)
  throw new ApiError([{ name: 'sandbox_request_invalid', property: 'last', constraint: 'maximum' }])
}

interface Following {
  readonly events: EventReader
  /** The reader's store; undefined once it may no longer read. */
  readonly reader: () => Promise<Merchant | undefined>
  readonly signal: AbortSignal
}

/**
 * Writes until the signal, or until the reader may no longer read. False if the reader has stopped
 * reading.
 */
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
  // Sends the reader's position, so that it misses nothing even after a long silence.
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
