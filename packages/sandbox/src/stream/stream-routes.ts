import type { Clock, Log } from '@cofre/contracts'
import type { Gateway } from '@cofre/gateway'
import type { Merchant, Notification } from '@cofre/gateway/room'
import { type GatewayEnv, signedStore } from '@cofre/gateway/http'
import { maskPayersInJson, maskPayersInTarget } from '@cofre/people'
import { Hono } from 'hono'
import type { FindsStores } from '../desk/sandbox-desk.js'
import type { RecordedRequest, RequestLogStore } from '../request-log/request-log-sql.js'
import { type EventSource, createEventStreams } from './event-stream.js'
import {
  type StreamPosition,
  isStreamPosition,
  positionAt,
  readNotifications,
} from './notification-reader.js'

interface StreamRouteDeps {
  readonly requests: RequestLogStore
  /** The sandbox's clock. */
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
}

/** A copy of the request that a shop receives. */
interface OutgoingCopy {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The streams' port to the room that notifies shops. */
export interface StreamedNotifications {
  /** The notifications behind a place, oldest first, in batches. */
  readonly after: (storeId: string, place: StreamPosition) => Promise<readonly Notification[]>
  /** Signed at the time of the call. */
  readonly outgoing: (store: Merchant, notification: Notification) => OutgoingCopy
}

interface StreamedGateway extends Pick<Gateway, 'api'> {
  readonly backOffice: FindsStores
  readonly notifications: StreamedNotifications
}

/** Lets a store's developers follow its requests and notifications live. */
export function createStreamRoutes(
  { api, backOffice, notifications }: StreamedGateway,
  { requests, ...deps }: StreamRouteDeps,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const respond = createEventStreams({ ...deps, backOffice })
  const notified = notificationSource(notifications, deps)
  const requested = requestSource(requests)
  const signed = signedStore(api, 'read')
  app.get('/sandbox/notifications/stream', signed, (c) => respond(c, notified))
  app.get('/sandbox/requests/stream', signed, (c) => respond(c, requested))
  return app
}

/** Copies of notifications. A new reader starts with the notifications from then on. */
function notificationSource(
  notifications: StreamedNotifications,
  clocks: Pick<StreamRouteDeps, 'clock' | 'machineClock'>,
): EventSource {
  return {
    start: () => Promise.resolve(positionAt(clocks.clock.now())),
    isPosition: isStreamPosition,
    readFrom(storeId, place) {
      const reader = readNotifications(clocks, place, (cursor) =>
        notifications.after(storeId, cursor),
      )
      return {
        place: reader.place,
        async next(store) {
          const found = await reader.next()
          return found.map(({ notification, place: id }) => {
            const body = notificationBody(notification, notifications.outgoing(store, notification))
            return { id, event: 'notification', data: JSON.stringify(body) }
          })
        },
      }
    },
  }
}

/** The headers and body of a shop's request, for forwarding unchanged. */
function notificationBody(notification: Notification, outgoing: OutgoingCopy) {
  const { transactionCode, refundId, status, createdAtMs } = notification
  return {
    at: new Date(createdAtMs).toISOString(),
    'transaction-code': String(transactionCode),
    ...(refundId === undefined ? { status } : { 'refund-id': String(refundId) }),
    ...outgoing,
  }
}

/** The request log. */
function requestSource(requests: RequestLogStore): EventSource {
  return {
    start: async (storeId, last) => String(await requests.placeBefore(storeId, last)),
    isPosition: (id) => /^\d{1,16}$/.test(id),
    readFrom(storeId, place) {
      let last = Number(place)
      return {
        place: () => String(last),
        async next() {
          const found = await requests.after(storeId, last)
          last = found.at(-1)?.id ?? last
          return found.map((request) => ({
            id: String(request.id),
            event: 'request',
            data: JSON.stringify(requestBody(request)),
          }))
        },
      }
    },
  }
}

/** Masked as on the developers' page: a store's secret does not prove its reader's role. */
function requestBody(request: RecordedRequest) {
  const { id, atMs, method, target, statusCode, durationMs, transactionCode } = request
  return {
    id,
    at: new Date(atMs).toISOString(),
    method,
    target: maskPayersInTarget(target),
    status: statusCode,
    'duration-ms': durationMs,
    ...(transactionCode !== undefined && { 'transaction-code': transactionCode }),
    'error-codes': request.errorCodes,
    'request-headers': request.requestHeaders,
    ...(request.requestBody !== undefined && { request: maskPayersInJson(request.requestBody) }),
    'response-headers': request.responseHeaders,
    response: maskPayersInJson(request.responseBody),
  }
}
