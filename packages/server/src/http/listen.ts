import { serve, type ServerType } from '@hono/node-server'
import type { Logger } from 'pino'
import { loggedFetch } from './logged-fetch.js'

/** An HTTP application and where it is to listen. */
export interface Listener {
  readonly role: string
  readonly host: string
  readonly port: number
  readonly portVariable: string
  readonly fetch: (request: Request, bindings: object) => Response | Promise<Response>
}

/** A port that cannot be listened on. The message says which, why, and how to change it. */
export class ListenError extends Error {
  constructor({ role, host, port, portVariable }: Listener, cause: NodeJS.ErrnoException) {
    const reason =
      cause.code === 'EADDRINUSE'
        ? 'is in use'
        : `cannot be listened on (${cause.code ?? cause.message})`
    super(
      `Port ${port} on ${host}, for the role ${role}, ${reason}. ` +
        `Stop the program that uses it, or set ${portVariable} to a free port.`,
      { cause },
    )
    this.name = 'ListenError'
  }
}

/** Resolves to a function that stops listening and lets running requests finish. @throws ListenError */
export async function listen(listener: Listener, log: Logger): Promise<() => Promise<void>> {
  const { role, host, port } = listener
  const server = await new Promise<ServerType>((resolve, reject) => {
    const starting = serve(
      { fetch: loggedFetch(listener.fetch, log, role), hostname: host, port },
      () => {
        resolve(starting)
      },
    )
    starting.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(listener, error))
    })
  })
  return () => closeServer(server)
}

function closeServer(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve()
    })
    if ('closeIdleConnections' in server) server.closeIdleConnections()
  })
}
