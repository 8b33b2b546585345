import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorName, SECOND_MS, errorCatalogue } from '@cofre/contracts'
import { explainedBody } from '@cofre/contracts/errors'
import { countByMinute } from '@cofre/work'
import type { Connections } from './connections.js'
import type { ServingDeps } from './serve.js'

const EXPECTATION_FAILED = 417

/** Time to read the response; afterwards the connection is closed. */
const LINGER_MS = 2 * SECOND_MS

/**
 * Answers requests that are not HTTP, or arrive too late, in the usual error shape: shops take JSON
 * without `errors` for success. Such requests never reach an application. Earlier requests on the
 * connection are answered first: one may be a payment.
 */
export function answerBrokenRequests(
  server: Server,
  connections: Connections,
  unserved: Unserved,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    connections.breakOff(socket, (isAnswered) => {
      // The last response is being sent.
      if (!socket.writable) return
      // The broken request itself was answered, so no response follows.
      if (isAnswered) socket.end()
      else refuse(socket, unserved, error.code)
      linger(socket)
    })
  })
  server.on('checkExpectation', (_request, response) => {
    if (!connections.admit(response)) return
    connections.endWith(response)
    const { code, body, headers } = answerTo(unserved)
    unserved.unreadable(EXPECTATION_FAILED, code)
    response.writeHead(EXPECTATION_FAILED, headers)
    response.end(body)
  })
  // This server is no proxy. Node leaves the connection to this listener.
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.resume()
    connections.breakOff(socket, () => {
      refuse(socket, unserved)
      linger(socket)
    })
  })
  server.on('drop', () => {
    unserved.dropped()
  })
}

/** Writes a response directly to a socket. */
function refuse(socket: Socket, unserved: Unserved, reason?: string): void {
  const { status, code, body, headers } = answerTo(unserved, reason)
  if (reason !== ENDED_EARLY) unserved.unreadable(status, code)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}

function linger(socket: Socket): void {
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => {
    clearTimeout(lingering)
  })
}

/** For a valid HTTP request without a usable address, for example without a Host. */
export function unaddressedResponse(unserved: Unserved): Response {
  const { status, code, body, headers } = answerTo(unserved)
  unserved.unreadable(status, code)
  return new Response(body, { status, headers })
}

/** The client ended the connection within its request, or seems to have done so. */
const ENDED_EARLY = 'HPE_INVALID_EOF_STATE'

const NAMES: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** In the default language, because the client's is unknown. */
function answerTo({ docsOrigin }: Unserved, reason = '') {
  const name = NAMES[reason] ?? 'request_malformed'
  const error = new ApiError(name)
  const body = JSON.stringify(explainedBody(error, { docsOrigin }))
  const headers = {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  }
  return { status: error.status, code: errorCatalogue[name].code, body, headers }
}

/** The route is unknown. */
const UNREADABLE_ROUTE = 'unreadable'

type Unserved = ReturnType<typeof countUnserved>

/**
 * Counts requests that a port refuses before an application logs them. Logs at most one line a
 * minute, because strangers can send any number.
 */
export function countUnserved({
  role,
  log,
  metrics,
  docsOrigin,
}: Pick<ServingDeps, 'role' | 'log' | 'metrics' | 'docsOrigin'>) {
  const unreadable = countByMinute()
  const dropped = countByMinute()
  const notAccepted = countByMinute()
  return {
    docsOrigin,
    /** An unreadable request was answered. */
    unreadable(status: number, code: number) {
      metrics.requests.inc({ role, route: UNREADABLE_ROUTE, method: 'OTHER', status })
      metrics.errors.inc({ role, code })
      const count = unreadable.add()
      if (count > 0)
        log.info({ role, status, errors: [code], count }, 'a request could not be read')
    },
    dropped() {
      metrics.connectionsDropped.inc({ role })
      const count = dropped.add()
      if (count > 0) log.warn({ role, count }, 'a connection was dropped: there are too many')
    },
    notAccepted(error: Error) {
      metrics.connectionsDropped.inc({ role })
      const count = notAccepted.add()
      if (count > 0) log.error({ role, count, error }, 'a connection could not be accepted')
    },
  }
}
