import { type IncomingMessage, createServer } from 'node:http'
import type { Hono } from 'hono'

/** A request on its way, as it was sent. */
export interface NetworkRequest {
  readonly method: string
  readonly target: string
  readonly authorization: string | undefined
  readonly body: string
}

export interface NetworkAnswer {
  readonly status: number
  readonly body: string
  readonly signature: string | null
}

type Deliver = (request: NetworkRequest) => Promise<NetworkAnswer>

/** The network between a gateway and its vault, with an attacker on it. */
export interface ServiceNetwork {
  readonly url: string
  readonly requests: NetworkRequest[]
  /** Delivers a request to the vault, even a forged one. */
  readonly deliver: Deliver
  /** Decides the fate of a request; `cut` ends the connection without an answer. */
  interfere: (request: NetworkRequest, deliver: Deliver) => Promise<NetworkAnswer | 'cut'>
  close(): Promise<void>
}

export async function openServiceNetwork(routes: () => Hono): Promise<ServiceNetwork> {
  const deliver: Deliver = async ({ method, target, authorization, body }) => {
    const headers = authorization === undefined ? [] : [['Authorization', authorization] as const]
    const hasBody = method !== 'GET'
    const response = await routes().request(`http://vault${target}`, {
      method,
      headers: Object.fromEntries(headers),
      ...(hasBody && { body }),
    })
    return {
      status: response.status,
      body: await response.text(),
      signature: response.headers.get('Cofre-Signature'),
    }
  }
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await readRequest(incoming)
      network.requests.push(request)
      const answer = await network.interfere(request, deliver)
      if (answer === 'cut') {
        outgoing.destroy()
        return
      }
      if (answer.signature !== null) outgoing.setHeader('Cofre-Signature', answer.signature)
      outgoing.writeHead(answer.status).end(answer.body)
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const network: ServiceNetwork = {
    url: `http://127.0.0.1:${address.port}`,
    requests: [],
    deliver,
    interfere: (request, onward) => onward(request),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
  return network
}

async function readRequest(incoming: IncomingMessage): Promise<NetworkRequest> {
  const { method = '', url: target = '', headers } = incoming
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  return { method, target, authorization: headers.authorization, body }
}
