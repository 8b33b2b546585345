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

/** An HTTP application that knows its routes, as Hono's do. */
export interface Application extends Pick<Hono, 'router'> {
  readonly getPath: (request: Request) => string
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>
}

/** What a listener serves its requests with. */
export interface ServingDeps {
  readonly role: string
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly control: AdmissionControl
  /** Whether requests are bounded, and counted by their address. */
  readonly admission: 'all' | 'bounded' | 'bounded-and-counted'
  /** Headers of every answer that does not set them itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly acceptsHost: (host: string) => boolean
  /** Origin that serves the documentation of errors; undefined when none is known. */
  readonly docsOrigin?: string | undefined
  readonly addressOf: (request: Request, bindings: object) => string
  readonly isTrustedPeer: (bindings: object) => boolean
  /** Of the process: once it has been asked to stop, its clients should ask elsewhere. */
  readonly readiness: Pick<Readiness, 'state'>
}

/** What becomes known of a request while it is served. */
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
/** What a log and a proxy call a request whose client went away. */
const CLIENT_CLOSED_REQUEST = 499
/** From here on an answer took so long that its line is a warning, and says who asked. */
const SLOW_MS = SECOND_MS

const KNOWN_CODES: ReadonlySet<unknown> = new Set(
  Object.values(errorCatalogue).map(({ code }) => code),
)
/** What follows is a payment link, and a payer's try at it. */
const PAYMENT_PAGE = /^(\/pay)\/.+/is
/** Whoever knows these addresses sees a card's payment, boleto, PIX code, wallet page or inbox. */
const CAPABILITY = /^\/(a|b|q|w|inbox|link)\/[^/]+/
/** A link's code, in the API and in the panel: the end of its address on the payment page. */
const LINK_CODE = /(\/payment-links)\/[^/]+/i
/** What follows an account here is its secret, also where a proxy has put something before. */
const NOTICE_SECRET = /(\/notices\/[^/]*)\/.+/is
/** Nearly every address that is asked for: nothing of it but the code's digits must be judged. */
const PLAIN = /^\/(?:transactions\/(\d+)|[a-z-]+)$/
/** What a transaction's code follows, in the API and in the panel. */
const PAYMENT = /^\/(transactions|(production|sandbox)\/[^/]+\/payments)\//
const CODE_LENGTH_MAX = 15
/** Also as people write numbers, with spaces, dots, commas or hyphens between. */
const NUMBER = /\p{Nd}(?:[^\p{Nd}a-z/]{0,3}\p{Nd})*/giu
const NUMBER_LENGTH_MAX = 8
/** How much each connection had received when its last request was logged. */
const loggedBytes = new WeakMap<Socket, number>()

/**
 * Serves an application's requests: admits or refuses them, gives each an id, and writes one line
 * for each. The line has neither query nor body nor headers, but for the store that a slow request
 * names: nothing of a card or a secret can get into it.
 */
export function servedRequests(application: Application, deps: ServingDeps): Application['fetch'] {
  const { role, metrics, tracing } = deps
  return (request, bindings) => {
    const served: ServedRequest = {
      request,
      bindings,
      requestId: headerOfProxy(request, bindings, deps) ?? randomUUID(),
      // Asked now: a client that has gone away has none.
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
        // The answers of one turn of the event loop are written one right after the other, at its
        // end: a write that wakes its reader costs as much as a search, and so they wake it once.
        // Where one answer is alone, its turn is at its end.
        await new Promise(setImmediate)
        return recorded
      } finally {
        metrics.requestsInFlight.dec({ role })
      }
    }
    return currentRequest.run({ requestId: served.requestId }, () =>
      tracing.span(`${served.method} ${served.route}`, serve, {
        kind: SpanKind.SERVER,
        // A span of a proxy of ours alone. Whether it is ours is asked last, because it takes
        // longest to find out.
        parent: parent !== undefined && deps.isTrustedPeer(bindings) ? parent : undefined,
      }),
    )
  }
}

/** The matching route's pattern, like `/transactions/:code`: of a small, closed set. */
function routePattern({ router, getPath }: Application, request: Request): string {
  // As Hono does.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const [handlers] = router.match(method, getPath(request))
  const matching = handlers.findLast(([[, { path }]]) => !path.includes('*'))
  return matching?.[0][1].path ?? UNMATCHED
}

/** A caller's id is accepted from our proxy alone: strangers write nothing into the log. */
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

/** An answer in the one error shape, given before an application was asked. */
export function refusalResponse(name: ErrorName, reader: ErrorReader = {}): Response {
  const error = new ApiError(name)
  return Response.json(explainedBody(error, reader), {
    status: error.status,
    headers: { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' },
  })
}

/** Counts an answer, writes its line and completes its headers. */
async function record(
  served: ServedRequest,
  response: Response,
  { role, log, metrics, headers, span }: ServingDeps & { readonly span: ActiveSpan },
): Promise<Response> {
  const { request, bindings, requestId, address, route, method, store, startedAt } = served
  const { codes, answer } = await errorCodesOf(response)
  const incoming = incomingOf(bindings)
  // The client went away before it had sent all of its request, or could be answered.
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
      // What is undefined is left out of the line.
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
 * What comes every few seconds or oftener, and says nothing while all is well: probes, and a
 * gateway's question for changes. One that has found some acknowledges them, in a line of its own.
 */
const FREQUENT = ['metrics ', `vault-service ${VAULT_CALLS.changes.path}`]

/** @param asked - The role and the route. */
function levelOf(asked: string, status: number, isSlow: boolean): 'debug' | 'info' | 'warn' {
  if (isSlow) return 'warn'
  return status < 400 && FREQUENT.some((start) => asked.startsWith(start)) ? 'debug' : 'info'
}

/** The catalogue's codes in an answer, each once, and the answer, whole. */
async function errorCodesOf(
  response: Response,
): Promise<{ readonly codes: readonly number[]; readonly answer: Response }> {
  const { status } = response
  // Nothing else is asked of an answer without errors: the Node server writes one that nobody has
  // looked into at once.
  const isError = status >= 400 && response.headers.get('Content-Type')?.includes('json') === true
  if (!isError) return { codes: [], answer: response }
  const text = await response.text()
  const answer = new Response(text, { status, headers: response.headers })
  try {
    const { errors } = JSON.parse(text) as { errors: readonly { code: number }[] }
    const codes = new Set(errors.map(({ code }) => code))
    return { codes: [...codes].filter((code) => KNOWN_CODES.has(code)), answer }
  } catch {
    // An application's own JSON is none of ours.
    return { codes: [], answer }
  }
}

/** Of every answer. An application that says otherwise for a page is not overruled. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // Only where browsers come by https: over http they ignore it (RFC 6797 section 8.1).
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
}

/**
 * Sets headers where Node keeps them until the answer's own are written over them: a Response that
 * is asked for its headers has to build them, which takes longer than all else here.
 */
function setHeaders(bindings: object, headers: Readonly<Record<string, string>>): void {
  const { outgoing } = bindings as { outgoing?: ServerResponse }
  for (const name in headers) outgoing?.setHeader(name, headers[name] ?? '')
}

function incomingOf(bindings: object): IncomingMessage | undefined {
  return (bindings as { incoming?: IncomingMessage }).incoming
}

/** Bytes that the connection has received since its request before this one was logged. */
function newBytesOf(incoming: IncomingMessage | undefined): number {
  if (incoming === undefined) return 0
  const { socket } = incoming
  const before = loggedBytes.get(socket) ?? 0
  loggedBytes.set(socket, socket.bytesRead)
  return socket.bytesRead - before
}

/** The path of a URL that is whole and normal, as that of a Request is. */
function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(from).search(/[?#]/)
  return end === -1 ? url.slice(from) : url.slice(from, from + end)
}

/** An address for notices that is mistaken may have its secret anywhere. */
function mayHavePath(role: string, status: number): boolean {
  return role !== 'notices' || status < 400
}

/**
 * What of a path may be kept. A shop may ask after a whole card number by mistake: only a
 * transaction's code is as long, and none is a card's number.
 * @param route - The pattern of the route; it stands for an address that nobody else may know.
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
    masked,
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

/** Decoded as the routes do: an escaped digit is a digit of the number. */
function withoutEscapes(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path.replaceAll(/%([2-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    )
  }
}

/** The store that a request claims to come from, without the digits of a card number. */
function loggableStore(request: Request): string | undefined {
  const id = claimedStore(request.headers)
  return id === undefined ? undefined : withoutLongNumbers(id, () => false)
}
