import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import {
  ApiError,
  type ErrorName,
  SECOND_MS,
  VAULT_CALLS,
  brandOf,
  claimedStore,
  errorCatalogue,
  isCardNumber,
  maskNamedSecurityCodes,
} from '@cofre/contracts'
import { type ErrorReader, explainedBody } from '@cofre/contracts/errors'
import { SpanKind } from '@opentelemetry/api'
import type { Hono } from 'hono'
import type { Logger } from 'pino'
import type { Metrics } from '../observability/metrics.js'
import { currentRequest } from '../observability/log.js'
import type { Readiness } from '../observability/readiness.js'
import type { ActiveSpan, Tracing } from '../observability/tracing.js'
import type { AdmissionControl } from './admission.js'

/** An HTTP application that knows its routes, like Hono's. */
export interface Application extends Pick<Hono, 'router'> {
  readonly getPath: (request: Request) => string
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>
}

/** A listener's tools for serving requests. */
export interface ServingDeps {
  readonly role: string
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly control: AdmissionControl
  /** Limits: none (`all`), a bound on concurrent requests, or also a count by address. */
  readonly admission: 'all' | 'bounded' | 'bounded-and-counted'
  /** Headers of every response that does not set them itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly acceptsHost: (host: string) => boolean
  /** Origin of the error documentation; undefined if unknown. */
  readonly docsOrigin?: string | undefined
  readonly addressOf: (request: Request, bindings: object) => string
  readonly isTrustedPeer: (bindings: object) => boolean
  /** Once the process has been asked to stop, its clients should go elsewhere. */
  readonly readiness: Pick<Readiness, 'state'>
}

/** Facts about a request while it is served. */
interface ServedRequest {
  readonly request: Request
  readonly bindings: object
  readonly requestId: string
  readonly address: string
  readonly route: string
  readonly method: string
  readonly startedAt: number
  store?: string
  retryAfterSeconds?: number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const UNMATCHED = 'unmatched'
/** Status in logs of a request whose client disconnected, as in proxies. */
const CLIENT_CLOSED_REQUEST = 499
/** From this duration on, a response's log line is a warning and names the sender. */
const SLOW_MS = SECOND_MS

const KNOWN_CODES: ReadonlySet<unknown> = new Set(
  Object.values(errorCatalogue).map(({ code }) => code),
)
/** The rest of the path is a payment link, and a payer's try at it. */
const PAYMENT_PAGE = /^(\/pay)\/.+/is
/** These addresses are secrets: they open a payment, boleto, PIX code, wallet page or inbox. */
const CAPABILITY = /^\/(a|b|q|w|inbox|link)\/[^/]+/
/** A link's code, in the API and in the panel: the end of its address on the payment page. */
const LINK_CODE = /(\/payment-links)\/[^/]+/i
/** The rest of the path after an account is its secret, even behind a proxy's prefix. */
const NOTICE_SECRET = /(\/notices\/[^/]*)\/.+/is
/** Nearly all requested addresses: only the code's digits need a check. */
const PLAIN = /^\/(?:transactions\/(\d+)|[a-z-]+)$/
/** The path before a transaction's code, in the API and in the panel. */
const PAYMENT = /^\/(transactions|(production|sandbox)\/[^/]+\/payments)\//
const CODE_LENGTH_MAX = 15
/** Also with spaces, dots, commas or hyphens, as people write numbers. */
const NUMBER = /\p{Nd}(?:[^\p{Nd}a-z/]{0,3}\p{Nd})*/giu
const NUMBER_LENGTH_MAX = 8
/** Bytes that each connection had received when its last request was logged. */
const loggedBytes = new WeakMap<Socket, number>()

/**
 * Serves an application's requests: admits or refuses them, gives each an id, and logs one line for
 * each. The line has neither query nor body nor headers, except the store of a slow request, so it
 * can't contain card data or secrets.
 */
export function servedRequests(application: Application, deps: ServingDeps): Application['fetch'] {
  const { role, metrics, tracing } = deps
  return (request, bindings) => {
    const served: ServedRequest = {
      request,
      bindings,
      requestId: headerOfProxy(request, bindings, deps) ?? randomUUID(),
      // Asked early: a disconnected client has no address.
      address: deps.addressOf(request, bindings),
      route: routePattern(application, request),
      method: METHODS.includes(request.method) ? request.method : 'OTHER',
      startedAt: performance.now(),
    }
    const parent = request.headers.get('traceparent') ?? undefined
    const serve = async (span: ActiveSpan): Promise<Response> => {
      metrics.requestsInFlight.inc({ role })
      try {
        const recorded = await record(served, await answer(application, served, deps), {
          ...deps,
          span,
        })
        // Responses of one turn of the event loop are written together at its end. A write that
        // wakes its reader costs as much as a search, and so they wake it once. A single response
        // waits only until the end of its turn.
        await new Promise(setImmediate)
        return recorded
      } finally {
        metrics.requestsInFlight.dec({ role })
      }
    }
    return currentRequest.run({ requestId: served.requestId }, () =>
      tracing.span(`${served.method} ${served.route}`, serve, {
        kind: SpanKind.SERVER,
        // Only our proxy's span. The proxy is checked last, because the check takes longest.
        parent: parent !== undefined && deps.isTrustedPeer(bindings) ? parent : undefined,
      }),
    )
  }
}

/** The matching route's pattern, like `/transactions/:code`, from a small, closed set. */
function routePattern({ router, getPath }: Application, request: Request): string {
  // Like Hono.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const [handlers] = router.match(method, getPath(request))
  const matching = handlers.findLast(([[, { path }]]) => !path.includes('*'))
  return matching?.[0][1].path ?? UNMATCHED
}

/** A caller's id is accepted only from our proxy: strangers must not write into the log. */
function headerOfProxy(
  request: Request,
  bindings: object,
  { isTrustedPeer }: ServingDeps,
): string | undefined {
  const given = request.headers.get('X-Request-Id')
  const isUsable = given !== null && /^[\w.-]{1,64}$/.test(given) && isTrustedPeer(bindings)
  return isUsable ? given : undefined
}

async function answer(
  application: Application,
  served: ServedRequest,
  { role, metrics, control, admission, acceptsHost, docsOrigin }: ServingDeps,
): Promise<Response> {
  const { request, bindings, address } = served
  const reader = { acceptLanguage: request.headers.get('Accept-Language'), docsOrigin }
  if (!acceptsHost(request.headers.get('Host') ?? ''))
    return refusalResponse('host_not_accepted', reader)
  const admitStore = async (storeId: string): Promise<void> => {
    served.store = storeId
    const waitSeconds = await control.countStore(storeId)
    if (waitSeconds === undefined) return
    metrics.requestsRefused.inc({ role, reason: 'store_rate' })
    served.retryAfterSeconds = waitSeconds
    throw new ApiError('too_many_requests')
  }
  const fetch = async () => await application.fetch(request, { ...bindings, admitStore })
  if (admission === 'all') return await fetch()
  const admitted = await control.admit({
    address,
    incoming: incomingOf(bindings),
    countsAddress: admission === 'bounded-and-counted',
  })
  if ('leave' in admitted) return await fetch().finally(admitted.leave)
  metrics.requestsRefused.inc({ role, reason: admitted.reason })
  served.retryAfterSeconds = admitted.retryAfterSeconds
  return refusalResponse(admitted.error, reader)
}

/** A response in the usual error shape, sent before an application is called. */
export function refusalResponse(name: ErrorName, reader: ErrorReader = {}): Response {
  const error = new ApiError(name)
  return Response.json(explainedBody(error, reader), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}

/** Counts a response, logs its line and completes its headers. */
async function record(
  served: ServedRequest,
  response: Response,
  { role, log, metrics, headers, span }: ServingDeps & { readonly span: ActiveSpan },
): Promise<Response> {
  const { request, bindings, requestId, address, route, method, store, startedAt } = served
  const { codes, answer } = await errorCodesOf(response)
  const incoming = incomingOf(bindings)
  // The client disconnected before its request was complete, or before the response.
  const hungUp = incoming?.socket.destroyed === true
  const status = hungUp ? CLIENT_CLOSED_REQUEST : answer.status
  const durationMs = performance.now() - startedAt
  metrics.requests.inc({ role, route, method, status })
  metrics.requestSeconds.observe({ role, route, method }, durationMs / SECOND_MS)
  for (const code of codes) metrics.errors.inc({ role, code })
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'cofre.role': role,
  })
  if (status >= 500) span.fail()
  const isSlow = durationMs >= SLOW_MS
  const receivedBytes = newBytesOf(incoming)
  log[levelOf(`${role} ${route}`, status, isSlow)](
    {
      // Undefined fields are omitted from the line.
      role,
      requestId,
      traceId: span.traceId,
      address,
      store,
      receivedBytes: isSlow ? receivedBytes : undefined,
      claimedStore: isSlow && store === undefined ? loggableStore(request) : undefined,
      method,
      route,
      path: mayHavePath(role, status) ? loggablePath(pathOf(request.url), route) : undefined,
      status,
      durationMs: Math.round(durationMs),
      errors: codes.length > 0 ? codes : undefined,
    },
    'request',
  )
  setHeaders(bindings, { ...headers, 'X-Request-Id': requestId })
  const { retryAfterSeconds } = served
  if (retryAfterSeconds !== undefined)
    setHeaders(bindings, { 'Retry-After': String(retryAfterSeconds) })
  return answer
}

/**
 * Requests that arrive every few seconds and mean nothing while all is well: probes, and a
 * gateway's poll for changes. A poll that found changes acknowledges them, in a line of its own.
 */
const FREQUENT = ['metrics ', `vault-service ${VAULT_CALLS.changes.path}`]

/** @param asked - The role and the route. */
function levelOf(asked: string, status: number, isSlow: boolean): 'debug' | 'info' | 'warn' {
  if (isSlow) return 'warn'
  return status < 400 && FREQUENT.some((start) => asked.startsWith(start)) ? 'debug' : 'info'
}

/** The distinct catalogue codes in a response, and the complete response. */
async function errorCodesOf(
  response: Response,
): Promise<{ readonly codes: readonly number[]; readonly answer: Response }> {
  const { status } = response
  // A response without errors is not read: the Node server writes an untouched one immediately.
  const isError = status >= 400 && response.headers.get('Content-Type')?.includes('json') === true
  if (!isError) return { codes: [], answer: response }
  const text = await response.text()
  const answer = new Response(text, { status, headers: response.headers })
  try {
    const { errors } = JSON.parse(text) as { errors: readonly { code: number }[] }
    const codes = new Set(errors.map(({ code }) => code))
    return { codes: [...codes].filter((code) => KNOWN_CODES.has(code)), answer }
  } catch {
    // An application's own JSON has no codes.
    return { codes: [], answer }
  }
}

/** Headers of every response. An application may set its own for a page. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // Only for https: browsers ignore it over http (RFC 6797 section 8.1).
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/**
 * Sets headers on Node's response, where the Response's own headers overwrite them later. Reading a
 * Response's headers makes it build them, which takes longer than everything else here.
 */
function setHeaders(bindings: object, headers: Readonly<Record<string, string>>): void {
  const { outgoing } = bindings as { outgoing?: ServerResponse }
  for (const name in headers) outgoing?.setHeader(name, headers[name] ?? '')
}

function incomingOf(bindings: object): IncomingMessage | undefined {
  return (bindings as { incoming?: IncomingMessage }).incoming
}

/** Bytes that the connection has received since its previous request was logged. */
function newBytesOf(incoming: IncomingMessage | undefined): number {
  if (incoming === undefined) return 0
  const { socket } = incoming
  const before = loggedBytes.get(socket) ?? 0
  loggedBytes.set(socket, socket.bytesRead)
  return socket.bytesRead - before
}

/** The path of an absolute, normalized URL, like that of a Request. */
function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(from).search(/[?#]/)
  return end === -1 ? url.slice(from) : url.slice(from, from + end)
}

/** A mistaken address for notices may have its secret anywhere. */
function mayHavePath(role: string, status: number): boolean {
  return role !== 'notices' || status < 400
}

/**
 * The part of a path that may be logged. A shop may ask for a whole card number by mistake: only a
 * transaction's code is as long, and none is a card number.
 * @param route - The route's pattern; it replaces an address that is a secret.
 */
function loggablePath(path: string, route: string): string {
  if (CAPABILITY.test(route) || PAYMENT_PAGE.test(route)) return route
  const plain = PLAIN.exec(path)
  if (plain !== null && mayBeCode(plain[1] ?? '')) return path
  const read = withoutEscapes(path)
  const masked = read
    .replace(CAPABILITY, '/$1/[address]')
    .replace(PAYMENT_PAGE, '$1/[address]')
    .replace(LINK_CODE, '$1/[address]')
    .replace(NOTICE_SECRET, '$1/[address]')
  const kept = withoutLongNumbers(
    maskNamedSecurityCodes(masked, '***'),
    (number) => PAYMENT.test(path) && /^\d+$/.test(number) && mayBeCode(number),
  )
  return kept === read ? path : kept
}

function mayBeCode(digits: string): boolean {
  return digits.length <= CODE_LENGTH_MAX && !isCardNumber(digits, brandOf(digits))
}

function withoutLongNumbers(text: string, isKept: (number: string) => boolean): string {
  return text.replaceAll(NUMBER, (number) =>
    number.replaceAll(/\P{Nd}/gu, '').length <= NUMBER_LENGTH_MAX || isKept(number)
      ? number
      : '[digits]',
  )
}

/** Decoded like the routes: an escaped digit is a digit of the number. */
function withoutEscapes(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** The store that a request claims to come from, with long numbers masked. */
function loggableStore(request: Request): string | undefined {
  const id = claimedStore(request.headers)
  return id === undefined ? undefined : withoutLongNumbers(id, () => false)
}
