import type { Server } from 'node:http'
import { SECOND_MS } from '@cofre/contracts'
import { createAdaptorServer } from '@hono/node-server'
import { answerBrokenRequests } from './broken-requests.js'
import { type Application } from './application.js'
import { type ServingDeps, servedRequests } from './served-request.js'

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

/** How long running requests may take to finish once the process has been asked to stop. */
const GRACE_MS = 3 * SECOND_MS
const TIDY_EVERY_MS = 50

/** Resolves to a function that stops listening and lets running requests finish. @throws ListenError */
export async function listen(
  listener: Listener,
  timeouts: ServerTimeouts = TIMEOUTS,
): Promise<() => Promise<void>> {
  const { role, host, port, application, serving } = listener
  const server = await new Promise<Server>((resolve, reject) => {
    const fetch = servedRequests(application, { ...serving, role })
    const starting = createAdaptorServer({ fetch, serverOptions: timeouts }) as Server
    starting.maxConnections = CONNECTIONS_MAX
    answerBrokenRequests(starting)
    starting.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(listener, error))
    })
    starting.listen(port, host, () => {
      resolve(starting)
    })
  })
  return () => closeServer(server)
}

/** Connections that are idle, or stay silent within a request, do not hold the process. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => {
      server.closeAllConnections()
    }, GRACE_MS)
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
