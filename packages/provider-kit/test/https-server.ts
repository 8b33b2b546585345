import { type RequestListener, type Server as HttpServer } from 'node:http'
import https, { type ServerOptions } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { type TestCertificate, makeCertificate } from './certificates.js'

/** A server on a port of its own. */
export interface TestServer {
  /** `https://127.0.0.1:port` */
  readonly origin: string
  close(): Promise<void>
}

/** A server that can switch to another certificate. */
export interface HttpsTestServer extends TestServer {
  present(certificate: TestCertificate): void
}

export const authority: TestCertificate = makeCertificate({ name: 'Test CA', kind: 'authority' })
export const serverCertificate: TestCertificate = makeCertificate({
  name: 'localhost',
  kind: 'server',
  issuer: authority,
})

/** Serves HTTPS under the test authority; can require a client certificate of it. */
export async function startHttpsServer(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<HttpsTestServer> {
  const contextOf = ({ certificatePem: cert, keyPem: key }: TestCertificate): ServerOptions => ({
    cert,
    key,
    ca: authority.certificatePem,
    ...options,
  })
  const server = https.createServer(contextOf(serverCertificate), listener)
  return {
    ...(await started(server)),
    present(certificate) {
      server.setSecureContext(contextOf(certificate))
      server.closeAllConnections()
    },
  }
}

/** Listens on loopback, and ends every connection when it is closed. */
export async function started(server: Server | HttpServer): Promise<TestServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    // Some tests have clients that leave during a handshake.
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `https://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
