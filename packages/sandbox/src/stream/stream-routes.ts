import type { Clock, Log } from '@cofre/contracts'
import type { Gateway, NotificationCopy } from '@cofre/gateway'
import { type GatewayEnv, signedStore } from '@cofre/gateway/http'
import { Hono } from 'hono'
import type { RecordedRequest, RequestLogStore } from '../request-log/request-log-sql.js'
import { type EventSource, createEventStreams } from './event-stream.js'

interface StreamRouteDeps {
  readonly requests: RequestLogStore
  /** The sandbox's. */
  readonly clock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
}

/** Lets a store's developers follow, as it happens, what it asks and what it is notified of. */
export function createStreamRoutes(
  { api, backOffice }: Pick<Gateway, 'api' | 'backOffice'>,
  { requests, clock, ...deps }: StreamRouteDeps,
): Hono<GatewayEnv> {
  const app = new Hono<GatewayEnv>({ strict: false })
  const respond = createEventStreams(deps)
  const notified = notificationSource(backOffice, clock)
  const requested = requestSource(requests, backOffice)
  app.get('/sandbox/notifications/stream', signedStore(api), (c) => respond(c, notified))
  app.get('/sandbox/requests/stream', signedStore(api), (c) => respond(c, requested))
  return app
}

const PLACE = /^(\d{1,15})-(\d{1,15})-(\d{1,9})$/

/** Copies of notifications. A new reader begins with what comes from then on. */
function notificationSource(backOffice: Gateway['backOffice'], clock: Clock): EventSource {
  return {
    start: () => Promise.resolve(`${clock.now()}-0-0`),
    isPlace: (id) => PLACE.test(id),
    async after(storeId, id) {
      const [, createdAtMs, transactionCode, position] = (PLACE.exec(id) ?? []).map(Number)
      const copies = await backOffice.copyNotifications(storeId, {
        createdAtMs: createdAtMs ?? 0,
        transactionCode: transactionCode ?? 0,
        position: position ?? 0,
      })
      return copies?.map((copy) => ({
        id: placeOf(copy),
        event: 'notification',
        data: JSON.stringify(notificationBody(copy)),
      }))
    },
  }
}

function placeOf({ notification: { createdAtMs, transactionCode, position } }: NotificationCopy) {
  return `${createdAtMs}-${transactionCode}-${position}`
}

/** Headers and body as a shop is sent them, to be passed on as they are. */
function notificationBody({ notification, outgoing }: NotificationCopy) {
  const { transactionCode, refundId, status, createdAtMs } = notification
  return {
    at: new Date(createdAtMs).toISOString(),
    'transaction-code': String(transactionCode),
    ...(refundId === undefined ? { status } : { 'refund-id': String(refundId) }),
    ...outgoing,
  }
}

/** The request log. */
function requestSource(requests: RequestLogStore, backOffice: Gateway['backOffice']): EventSource {
  return {
    start: async (storeId, last) => String(await requests.placeBefore(storeId, last)),
    isPlace: (id) => /^\d{1,16}$/.test(id),
    async after(storeId, id) {
      if ((await backOffice.findMerchant(storeId))?.enabled !== true) return undefined
      const found = await requests.after(storeId, Number(id))
      return found.map((request) => ({
        id: String(request.id),
        event: 'request',
        data: JSON.stringify(requestBody(request)),
      }))
    },
  }
}

function requestBody(request: RecordedRequest) {
  const { id, atMs, method, target, statusCode, durationMs, transactionCode } = request
  return {
    id,
    at: new Date(atMs).toISOString(),
    method,
    target,
    status: statusCode,
    'duration-ms': durationMs,
    ...(transactionCode !== undefined && { 'transaction-code': transactionCode }),
    'error-codes': request.errorCodes,
    'request-headers': request.requestHeaders,
    ...(request.requestBody !== undefined && { request: request.requestBody }),
    'response-headers': request.responseHeaders,
    response: request.responseBody,
  }
}
