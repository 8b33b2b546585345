import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND_MS } from '@cofre/contracts'
import { getRequestListener } from '@hono/node-server'
import { answerBrokenRequests, unaddressedResponse } from './broken-requests.js'
import { type Application } from './application.js'
import { type ServingDeps, servedRequests } from './served-request.js'
import { countUnserved } from './unserved.js'

/** An HTTP application and where it is to listen. */
export interface Listener {
  readonly role: string
  readonly host: string
  readonly port: number
  readonly portVariable: string
  readonly application: Application
  readonly serving: Omit<ServingDeps, 'role'>
}

/** An address that cannot be listened on. The message says which, why, and how to change it. */
export class ListenError extends Error {
  constructor(listener: Listener, cause: NodeJS.ErrnoException) {
    super(explain(listener, cause.code ?? cause.message), { cause })
    this.name = 'ListenError'
  }
}

const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']

function explain({ role, host, port, portVariable }: Listener, reason: string): string {
  if (NO_SUCH_ADDRESS.includes(reason)) {
    return `COFRE_HOST=${host} is not an address of this machine (${reason}): try 127.0.0.1, or 0.0.0.0 for all.`
  }
  const why = reason === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${reason})`
  return (
    `Port ${port} on ${host}, for the role ${role}, ${why}. ` +
    `Stop the program that uses it, or set ${portVariable} to a free port.`
  )
}

/** How long clients may take, in milliseconds. */
export interface ServerTimeouts {
  readonly headersTimeout: number
  /** For the whole request. */
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  readonly keepAliveTimeout: number
}

const TIMEOUTS: ServerTimeouts = {
  headersTimeout: 10 * SECOND_MS,
  requestTimeout: 30 * SECOND_MS,
  connectionsCheckingInterval: SECOND_MS,
  // Longer than proxies keep theirs, so that they and not we close idle connections.
  keepAliveTimeout: 75 * SECOND_MS,
}
/** Connections beyond these are dropped. */
const CONNECTIONS_MAX = 10_000

/**
 * How long a request may take to arrive once the process has been asked to stop. One that has arrived is answered: it may be
 * a payment.
 */
const GRACE_MS = 3 * SECOND_MS
const TIDY_EVERY_MS = 50

/** Resolves to a function that stops listening and lets running requests finish. @throws ListenError */
export async function listen(
  listener: Listener,
  timeouts: ServerTimeouts = TIMEOUTS,
  graceMs = GRACE_MS,
): Promise<() => Promise<void>> {
  const { role, host, port, application, serving } = listener
  const server = await new Promise<Server>((resolve, reject) => {
    const fetch = servedRequests(application, { ...serving, role })
    const unserved = countUnserved({ ...serving, role })
    const errorHandler = () => unaddressedResponse(unserved)
    const answer = getRequestListener(fetch, { errorHandler })
    // A request without a Host is answered like any other that is wrong, and not by Node, with nothing.
    const starting = createServer(
      { ...timeouts, requireHostHeader: false },
      (request, response) => {
        void answer(request, response)
      },
    )
    starting.maxConnections = CONNECTIONS_MAX
    answerBrokenRequests(starting, unserved)
    starting.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(listener, error))
    })
    starting.listen(port, host, () => {
      resolve(starting)
    })
  })
  const destroyUnarrived = watchArrivals(server)
  return () => closeServer(server, destroyUnarrived, graceMs)
}

/** Returns how to end every connection but those whose request has arrived whole and is being answered. */
function watchArrivals(server: Server): () => void {
  const requests = new Map<Socket, IncomingMessage | undefined>()
  server.on('connection', (socket: Socket) => {
    requests.set(socket, undefined)
    socket.once('close', () => requests.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response) => {
    requests.set(socket, response.req)
    response.once('close', () => {
      // A pipelined request may have come after this one.
      if (requests.get(socket) === response.req) requests.set(socket, undefined)
    })
  })
  return () => {
    for (const [socket, request] of requests) if (request?.complete !== true) socket.destroy()
  }
}

/** Connections that are idle, or stay silent within a request, do not hold the process. */
function closeServer(server: Server, destroyUnarrived: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(destroyUnarrived, graceMs)
    // Connections that were busy are kept alive by their clients once they are answered.
    const tidying = setInterval(() => {
      server.closeIdleConnections()
    }, TIDY_EVERY_MS)
    server.close(() => {
      clearTimeout(impatient)
      clearInterval(tidying)
      resolve()
    })
    server.closeIdleConnections()
  })
}
