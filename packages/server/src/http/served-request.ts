import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, SECOND_MS } from '@cofre/contracts'
import type { Logger } from 'pino'
import { currentRequest } from '../observability/current-request.js'
import type { Metrics } from '../observability/metrics.js'
import type { ActiveSpan, Tracing } from '../observability/tracing.js'
import { type Application, routePattern } from './application.js'
import { type Intake, refusalResponse } from './intake.js'
import type { HostCheck } from './own-host.js'
import { ReceivedBytes, SLOW_MS, loggablePath, loggableStore } from './request-line.js'
import { toldCodes } from './told-errors.js'

type Fetch = Application['fetch']

/** What a listener serves its requests with. */
export interface ServingDeps {
  readonly role: string
  readonly log: Logger
  readonly metrics: Metrics
  readonly tracing: Tracing
  readonly intake: Intake
  /** Whether requests are bounded by the intake, and counted by their address. */
  readonly admission: 'all' | 'bounded' | 'bounded-and-counted'
  /** Headers of every answer that does not set them itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly acceptsHost: HostCheck
  readonly addressOf: (request: Request, bindings: object) => string
  readonly isTrustedPeer: (bindings: object) => boolean
  /** Whether the process has been asked to stop: its clients should ask elsewhere. */
  readonly isStopping: () => boolean
}

/** What is learnt of a request while it is served. */
interface ServedRequest {
  readonly requestId: string
  readonly address: string
  readonly route: string
  readonly method: string
  store?: string
  retryAfterSeconds?: number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** What a log and a proxy call a request whose client went away. */
const CLIENT_CLOSED_REQUEST = 499

const received = new ReceivedBytes()

/**
 * Serves an application's requests: takes them on or refuses them, gives each an id, and writes one line for each. The line has
 * neither query nor body nor headers, but for the store that a slow request names: nothing of a card or a secret can get into it.
 */
export function servedRequests(application: Application, deps: ServingDeps): Fetch {
  const { role, metrics, tracing } = deps
  return (request, bindings) => {
    const served: ServedRequest = {
      requestId: requestIdOf(request, bindings, deps),
      // Asked now: a client that has gone away has none.
      address: deps.addressOf(request, bindings),
      route: routePattern(application, request),
      method: METHODS.includes(request.method) ? request.method : 'OTHER',
    }
    const parent = traceParentOf(request, bindings, deps)
    return currentRequest.run({ requestId: served.requestId }, () =>
      tracing.span(
        `${served.method} ${served.route}`,
        async (span) => {
          const startedAt = performance.now()
          metrics.requestsInFlight.inc({ role })
          try {
            const response = await answer(application, { request, bindings, served }, deps)
            const answered = { request, bindings, served, response, startedAt, span }
            const recorded = await record(answered, deps)
            await endOfTurn()
            return recorded
          } finally {
            metrics.requestsInFlight.dec({ role })
          }
        },
        { kind: 'server', parent },
      ),
    )
  }
}

/**
 * The answers of one turn of the event loop are written one right after the other, at its end: a write that wakes its reader costs
 * as much as a search, and so they wake it once. Where one answer is alone, its turn is at its end.
 */
async function endOfTurn(): Promise<void> {
  await new Promise(setImmediate)
}

/** A caller's id is taken over from a proxy of ours alone: what strangers write does not get into the log. */
function requestIdOf(request: Request, bindings: object, { isTrustedPeer }: ServingDeps): string {
  const given = request.headers.get('X-Request-Id')
  const isUsable = given !== null && /^[\w.-]{1,64}$/.test(given) && isTrustedPeer(bindings)
  return isUsable ? given : randomUUID()
}

/** A span of a proxy of ours alone. Whether it is ours is asked last, because it takes longest to tell. */
function traceParentOf(
  request: Request,
  bindings: object,
  { isTrustedPeer }: ServingDeps,
): string | undefined {
  const parent = request.headers.get('traceparent')
  return parent !== null && isTrustedPeer(bindings) ? parent : undefined
}

interface Serving {
  readonly request: Request
  readonly bindings: object
  readonly served: ServedRequest
}

async function answer(
  application: Application,
  { request, bindings, served }: Serving,
  { role, metrics, intake, admission, acceptsHost }: ServingDeps,
): Promise<Response> {
  if (!acceptsHost(request.headers.get('Host') ?? '')) return refusalResponse('host_not_accepted')
  const admitStore = async (storeId: string): Promise<void> => {
    served.store = storeId
    const waitSeconds = await intake.countStore(storeId)
    if (waitSeconds === undefined) return
    metrics.requestsRefused.inc({ role, reason: 'store_rate' })
    served.retryAfterSeconds = waitSeconds
    throw new ApiError('too_many_requests')
  }
  const fetch = async () => await application.fetch(request, { ...bindings, admitStore })
  if (admission === 'all') return await fetch()
  const admitted = await intake.admit({
    address: served.address,
    incoming: incomingOf(bindings),
    countsAddress: admission === 'bounded-and-counted',
  })
  if (admitted.kind === 'admitted') return await fetch().finally(admitted.leave)
  metrics.requestsRefused.inc({ role, reason: admitted.reason })
  served.retryAfterSeconds = admitted.retryAfterSeconds
  return refusalResponse(admitted.error)
}

interface Answered extends Serving {
  readonly response: Response
  readonly startedAt: number
  readonly span: ActiveSpan
}

/** Counts an answer, writes its line and completes its headers. */
async function record(
  { request, bindings, served, response, startedAt, span }: Answered,
  { role, log, metrics, headers }: ServingDeps,
): Promise<Response> {
  const { requestId, address, route, method, store } = served
  const { codes, answer } = await toldCodes(response)
  const hungUp = hasHungUp(incomingOf(bindings))
  const status = hungUp ? CLIENT_CLOSED_REQUEST : answer.status
  const durationMs = performance.now() - startedAt
  metrics.requests.inc({ role, route, method, status })
  metrics.requestSeconds.observe({ role, route, method }, durationMs / SECOND_MS)
  for (const code of codes) metrics.errors.inc({ role, code })
  span.set('http.request.method', method)
  span.set('http.route', route)
  span.set('http.response.status_code', status)
  span.set('cofre.role', role)
  if (status >= 500) span.fail()
  const isSlow = durationMs >= SLOW_MS
  const receivedBytes = received.take(incomingOf(bindings))
  log[levelOf(role, status, isSlow)](
    {
      role,
      requestId,
      ...(span.traceId !== undefined && { traceId: span.traceId }),
      address,
      ...(store !== undefined && { store }),
      ...(isSlow && { receivedBytes }),
      ...(isSlow && store === undefined && { claimedStore: loggableStore(request) }),
      method,
      route,
      path: loggablePath(pathOf(request.url), route),
      status,
      durationMs: Math.round(durationMs),
      ...(codes.length > 0 && { errors: codes }),
    },
    'request',
  )
  setHeaders(bindings, {
    ...headers,
    'X-Request-Id': requestId,
    ...(served.retryAfterSeconds !== undefined && {
      'Retry-After': String(served.retryAfterSeconds),
    }),
  })
  return answer
}

function levelOf(role: string, status: number, isSlow: boolean): 'debug' | 'info' | 'warn' {
  if (isSlow) return 'warn'
  // Probes come every few seconds, and say nothing while all is well.
  return role === 'metrics' && status < 400 ? 'debug' : 'info'
}

/**
 * Sets headers where Node keeps them until the answer's own are written over them: a Response that is asked for its headers
 * has to build them, which takes longer than all else here.
 */
function setHeaders(bindings: object, headers: Readonly<Record<string, string>>): void {
  const { outgoing } = bindings as { outgoing?: ServerResponse }
  for (const name in headers) outgoing?.setHeader(name, headers[name] ?? '')
}

function incomingOf(bindings: object): IncomingMessage | undefined {
  return (bindings as { incoming?: IncomingMessage }).incoming
}

/** The path of a URL that is whole and normal, as that of a Request is. */
function pathOf(url: string): string {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.slice(from).search(/[?#]/)
  return end === -1 ? url.slice(from) : url.slice(from, from + end)
}

/** Whether the client went away before it had sent all of its request, or could be answered. */
function hasHungUp(incoming: IncomingMessage | undefined): boolean {
  return incoming?.socket.destroyed === true
}
