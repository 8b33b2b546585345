import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorName, SECOND_MS, errorCatalogue } from '@cofre/contracts'
import { explainedBody } from '@cofre/contracts/errors'
import { countByMinute } from '@cofre/work'
import type { Connections } from './connections.js'
import type { ServingDeps } from './serve.js'

const EXPECTATION_FAILED = 417

/** Time to read the answer; a client that does not hang up keeps no connection for longer. */
const LINGER_MS = 2 * SECOND_MS

/**
 * Gives requests that are not HTTP, or do not arrive in time, and so never reach an application,
 * the one error shape: shops take JSON without `errors` for success. What came before them on their
 * connection is answered first: it may be a payment.
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
      // Its last answer is on its way.
      if (!socket.writable) return
      // Nothing follows the answer to the very request that broke.
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
  // We are no proxy. Node leaves the connection to whoever listens.
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

/** Answers what is not written as a response to a request that Node has read. */
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

/** For a request that is HTTP and has no usable address, such as one without a Host. */
export function unaddressedResponse(unserved: Unserved): Response {
  const { status, code, body, headers } = answerTo(unserved)
  unserved.unreadable(status, code)
  return new Response(body, { status, headers })
}

/** The client ended within its request: it went away, or looks like one that did. */
const ENDED_EARLY = 'HPE_INVALID_EOF_STATE'

const NAMES: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** In the language of those of whom nothing is known. */
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

/** Whose route it would have been is not known. */
const UNREADABLE_ROUTE = 'unreadable'

type Unserved = ReturnType<typeof countUnserved>

/**
 * Counts what a port turns away before an application, and its line in the log, are reached; with a
 * line a minute: strangers can send without end.
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
    /** A request that could not be read was answered. */
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
