import {
  type IncomingMessage,
  type ServerResponse,
  createServer as createHttpServer,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import type { Credential } from './authority/authority.js'

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const LOOPBACK = '127.0.0.1'

export interface Listening {
  readonly port: number
  stop(): Promise<void>
}

interface SecurelyListening extends Listening {
  /** Ends kept connections without a call, so that a provider that goes away is away at once. */
  endIdle(): void
}

interface MutualTls {
  readonly server: Credential
  /** The authority of the clients' certificates, as PEM. */
  readonly authority: string
}

/** An HTTPS listener that requires a certificate of the authority. */
export function listenMutually(
  listener: Listener,
  { server, authority }: MutualTls,
  port: number,
): Promise<Listening> {
  const options = {
    cert: server.certificate,
    key: server.privateKey.reveal(),
    ca: authority,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
  }
  const https = createHttpsServer(options, asCallback(listener))
  return listen(https, port, () => {
    https.closeAllConnections()
  })
}

interface OpenTls {
  readonly server: Credential
  /** If true, each new connection ends before a request can be sent. */
  readonly isAway: () => boolean
}

/** An HTTPS listener without client certificates. */
export async function listenSecurely(
  listener: Listener,
  { server, isAway }: OpenTls,
  port: number,
): Promise<SecurelyListening> {
  const options = {
    cert: server.certificate,
    key: server.privateKey.reveal(),
    minVersion: 'TLSv1.2' as const,
  }
  const https = createHttpsServer(options, asCallback(listener))
  https.on('connection', (socket) => {
    if (isAway()) socket.destroy()
  })
  const listening = await listen(https, port, () => {
    https.closeAllConnections()
  })
  return {
    ...listening,
    endIdle() {
      https.closeIdleConnections()
    },
  }
}

export function listenPlainly(listener: Listener, port: number): Promise<Listening> {
  const http = createHttpServer(asCallback(listener))
  return listen(http, port, () => {
    http.closeAllConnections()
  })
}

function listen(server: Server, port: number, endConnections: () => void): Promise<Listening> {
  const { promise, resolve, reject } = Promise.withResolvers<Listening>()
  server.once('error', reject)
  server.listen(port, LOOPBACK, () => {
    resolve({
      port: (server.address() as AddressInfo).port,
      stop: () => stop(server, endConnections),
    })
  })
  return promise
}

function stop(server: Server, endConnections: () => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.close(() => {
    resolve(undefined)
  })
  endConnections()
  return promise
}

/** The listener answers its own errors. */
function asCallback(listener: Listener) {
  return (request: IncomingMessage, response: ServerResponse) => {
    void listener(request, response)
  }
}
