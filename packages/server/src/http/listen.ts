import { type Server, createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { Server as NetServer } from 'node:net'
import { SECOND_MS, type Secret } from '@cofre/contracts'
import { RequestError, getRequestListener } from '@hono/node-server'
import { OperatorError } from '../config/errors.js'
import { descriptorsMax } from '../observability/machine-watch.js'
import { createHostCheck } from './addresses.js'
import { answerBrokenRequests, countUnserved, unaddressedResponse } from './broken-requests.js'
import { Connections } from './connections.js'
import { originForm } from './request-target.js'
import { type Application, type ServingDeps, refusalResponse, servedRequests } from './serve.js'

/** A listening address, with the settings that name it. */
export interface ListenAddress {
  readonly role: string
  readonly host: string
  /** Undefined: COFRE_HOST. */
  readonly hostNamedBy?: string
  readonly port: number
  readonly portVariable: string
}

/** An HTTP application and its listening address. */
export interface Listener extends ListenAddress {
  /** Public address; empty if unknown. */
  readonly publicUrl: string
  readonly application: Application
  readonly serving: Omit<ServingDeps, 'role' | 'acceptsHost'>
  /** Time for a whole request to arrive; default: 30 seconds. */
  readonly requestTimeoutMs?: number
  /** A chain of certificates and its key in PEM, for HTTPS; absent: HTTP, behind a proxy. */
  readonly certificate?: Secret<string> | undefined
}

/** A failure to listen on an address. The message states the address, the cause and the fix. */
export class ListenError extends OperatorError {
  constructor(place: ListenAddress, cause: NodeJS.ErrnoException) {
    super(explain(place, cause.code ?? cause.message), { cause })
    this.name = 'ListenError'
  }
}

const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']

function explain(place: ListenAddress, reason: string): string {
  const { role, host, hostNamedBy = `COFRE_HOST=${host}`, port, portVariable } = place
  if (NO_SUCH_ADDRESS.includes(reason)) {
    const all = hostNamedBy.startsWith('--') ? 'COFRE_HOST=0.0.0.0 beside it' : '0.0.0.0'
    return `${hostNamedBy} is not an address of this machine (${reason}): try 127.0.0.1, or ${all} for all.`
  }
  const why = reason === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${reason})`
  return `Port ${port} on ${host}, for the role ${role}, ${why}. Stop the program that uses it, or set ${portVariable} to a free port.`
}

/** Time limits for clients, in milliseconds. */
const TIMEOUTS = {
  headersTimeout: 10 * SECOND_MS,
  /** For the whole request. */
  requestTimeout: 30 * SECOND_MS,
  connectionsCheckingInterval: SECOND_MS,
  // Longer than proxies keep theirs, so that they close idle connections first.
  keepAliveTimeout: 75 * SECOND_MS,
}
const CONNECTIONS_MAX = 10_000
/** Share of the process's file descriptors: files, databases and outgoing calls need the rest. */
const CONNECTIONS_SHARE = 0.5

/**
 * Time for a request to arrive after the process was asked to stop. A request that has arrived is
 * answered: it may be a payment.
 */
const GRACE_MS = 3 * SECOND_MS
/** Idle time after which a connection may be ended: a busy client is quicker. */
const IDLE_MS = SECOND_MS
const IDLE_CHECK_MS = 50
/** Time for accepting waiting connections before the port is closed. */
const ACCEPT_WAITING_MS = SECOND_MS
const QUICK_TURN_MS = 0.5

/**
 * Resolves to a function that stops listening and finishes running requests. @throws ListenError
 */
export async function listen(
  listener: Listener,
  timeouts = TIMEOUTS,
  graceMs = GRACE_MS,
): Promise<() => Promise<void>> {
  const { serving } = listener
  const server = newServer(listener, timeouts)
  // Connections beyond the limit are dropped.
  server.maxConnections = Math.min(
    CONNECTIONS_MAX,
    Math.floor((descriptorsMax() ?? Infinity) * CONNECTIONS_SHARE),
  )
  const address = await bind(server, listener)
  const deps = {
    ...serving,
    role: listener.role,
    acceptsHost: createHostCheck(address, listener.publicUrl),
  }
  const connections = new Connections(server)
  const unserved = countUnserved(deps)
  const fetch = servedRequests(listener.application, deps)
  let lastAccepted: Promise<void> | undefined
  server.on('request', (request, response) => {
    if (!connections.admit(response)) return
    request.url = originForm(request.url ?? '/')
    const answer = getRequestListener(
      async (asked, bindings) => {
        const answered = await fetch(asked, bindings)
        // Clients with a response would connect again, without end.
        if (lastAccepted !== undefined) await lastAccepted
        if (lastAccepted !== undefined || serving.readiness.state === 'stopping')
          connections.endWith(response)
        return answered
      },
      {
        errorHandler(error) {
          connections.endWith(response)
          if (error instanceof RequestError) return unaddressedResponse(unserved)
          // A 4xx would claim that the request had no effect.
          deps.log.error({ error, role: deps.role }, 'a request failed')
          return refusalResponse('internal_server_error', deps)
        },
      },
    )
    void answer(request, response)
  })
  answerBrokenRequests(server, connections, unserved)
  // A connection that can't be accepted must not end the process.
  server.on('error', (error) => {
    unserved.notAccepted(error)
  })
  return async () => {
    lastAccepted = acceptWaiting(server)
    await lastAccepted
    await closeServer(server, connections, graceMs)
  }
}

function newServer(listener: Listener, timeouts: typeof TIMEOUTS): Server {
  const { certificate, requestTimeoutMs: requestTimeout = timeouts.requestTimeout } = listener
  // The application answers a request without a Host like any other error; Node's response would be
  // empty.
  const options = { ...timeouts, requestTimeout, requireHostHeader: false }
  const pem = certificate?.reveal()
  return pem === undefined
    ? createServer(options)
    : createSecureServer({ ...options, cert: pem, key: pem })
}

/** Checks before irreversible steps that each address is available. @throws ListenError */
export async function refuseUnlistenable(places: readonly ListenAddress[]): Promise<void> {
  for (const place of places) {
    const server = new NetServer()
    await bind(server, place)
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Resolves to the server's listening address. */
function bind(server: NetServer, listener: ListenAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      reject(new ListenError(listener, error))
    }
    server.once('error', failed)
    server.listen(listener.port, listener.host, () => {
      server.off('error', failed)
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.address : '')
    })
  })
}

/**
 * Accepts no new connections. Responses on open ones announce that they are the last, so that
 * clients go elsewhere. An idle connection is ended only after a while: its client may be sending a
 * request at this moment, which a reset would lose.
 */
function closeServer(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const since = performance.now()
  return new Promise((resolve) => {
    const tidying = setInterval(() => {
      // Data that arrived meanwhile is read first.
      setImmediate(() => {
        connections.endIdle(since, graceMs, Math.min(IDLE_MS, graceMs))
      })
    }, IDLE_CHECK_MS)
    // An HTTP server's own `close` would end idle connections immediately.
    NetServer.prototype.close.call(server, () => {
      clearInterval(tidying)
      // Ends the HTTP server's own timers.
      server.close()
      resolve()
    })
  })
}

/**
 * Resolves when no connection waits to be accepted, or after a time limit. When a port closes, the
 * system resets waiting connections and loses the requests that their clients sent. Each turn of
 * the event loop accepts one connection.
 */
async function acceptWaiting(server: Server): Promise<void> {
  const until = performance.now() + ACCEPT_WAITING_MS
  let accepted = 0
  const count = (): void => {
    accepted++
  }
  server.on('connection', count)
  // The current turn may have begun before the counting.
  await new Promise(setImmediate)
  let isEmpty = false
  while (!isEmpty && performance.now() < until) {
    const turn = { from: performance.now(), accepted }
    await new Promise(setImmediate)
    // In a longer turn, others may have arrived after its check.
    isEmpty = accepted === turn.accepted && performance.now() - turn.from < QUICK_TURN_MS
  }
  server.off('connection', count)
}
