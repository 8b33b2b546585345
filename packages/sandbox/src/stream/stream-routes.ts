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
  type NotificationPlace,
  isPlace,
  placeAt,
  readNotifications,
} from './notification-reader.js'

interface StreamRouteDeps {
  readonly requests: RequestLogStore
  /** The sandbox's. */
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
}

/** What a shop is sent of a notification. */
interface OutgoingCopy {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a stream asks of the room that notifies shops. */
export interface StreamedNotifications {
  /** Those behind a place, oldest first, some at a time. */
  readonly after: (storeId: string, place: NotificationPlace) => Promise<readonly Notification[]>
  /** Signed when it is asked for. */
  readonly outgoing: (store: Merchant, notification: Notification) => OutgoingCopy
}

interface StreamedGateway extends Pick<Gateway, 'api'> {
  readonly backOffice: FindsStores
  readonly notifications: StreamedNotifications
}

/** Lets a store's developers follow, as it happens, what it asks and what it is notified of. */
export function createStreamRoutes(
  { api, backOffice, notifications }: StreamedGateway,
  { requests, ...deps }: StreamRouteDeps,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const respond = createEventStreams({ ...deps, backOffice })
  const notified = notificationSource(notifications, deps)
  const requested = requestSource(requests)
  app.get('/sandbox/notifications/stream', signedStore(api), (c) => respond(c, notified))
  app.get('/sandbox/requests/stream', signedStore(api), (c) => respond(c, requested))
  return app
}

/** Copies of notifications. A new reader begins with what comes from then on. */
function notificationSource(
  notifications: StreamedNotifications,
  clocks: Pick<StreamRouteDeps, 'clock' | 'machineClock'>,
): EventSource {
  return {
    start: () => Promise.resolve(placeAt(clocks.clock.now())),
    isPlace,
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

/** Headers and body as a shop is sent them, to be passed on as they are. */
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
    isPlace: (id) => /^\d{1,16}$/.test(id),
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

/** Masked as its page is for developers: a store's secret says nothing of its reader's role. */
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
