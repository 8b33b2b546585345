import {
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
  createServer,
  request,
} from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './cofre-process.js'
import { KEPT } from './recording-proxy.js'

/** A disturbance of a request between the page and the vault. */
export type Disturbance =
  | { readonly kind: 'cut before the vault' }
  /** The vault has acted; the page gets no response. */
  | { readonly kind: 'cut after the vault' }
  /** The page gets the response's head and the first byte of its body. */
  | { readonly kind: 'cut within the answer' }
  | { readonly kind: 'late'; readonly delayMs: number }
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }

export interface LinkRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The network between the page and the vault: records requests and disturbs them on demand. */
export interface VaultLink {
  readonly url: string
  /** Everything the browser sent, preflights included. */
  readonly requests: readonly LinkRequest[]
  /** Disturbs the next requests for the path, or all of them until `restore`. */
  disturb(path: string, disturbance: Disturbance, times?: number): void
  restore(): void
  close(): Promise<void>
}

interface Disturbed {
  readonly disturbance: Disturbance
  times: number
}

export async function startVaultLink(vaultPort: number): Promise<VaultLink> {
  const requests: LinkRequest[] = []
  const disturbed = new Map<string, Disturbed>()

  function nextDisturbance(path: string): Disturbance | undefined {
    const found = disturbed.get(path)
    if (found === undefined || found.times === 0) return undefined
    found.times--
    return found.disturbance
  }

  const server = createServer(KEPT, (incoming, answer) => {
    void readBody(incoming).then(async (body) => {
      const { method = '', url: path = '' } = incoming
      requests.push({ method, path, body: body.toString() })
      await carry({ incoming, answer, body, vaultPort }, nextDisturbance(path))
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    disturb: (path, disturbance, times = Infinity) => {
      disturbed.set(path, { disturbance, times })
    },
    restore: () => {
      disturbed.clear()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly answer: ServerResponse
  readonly body: Buffer
  readonly vaultPort: number
}

async function carry(exchange: Exchange, disturbance: Disturbance | undefined): Promise<void> {
  const { incoming, answer } = exchange
  switch (disturbance?.kind) {
    case 'cut before the vault':
      incoming.socket.destroy()
      return
    case 'cut after the vault':
      await passOn(exchange, () => {
        incoming.socket.destroy()
      })
      return
    case 'cut within the answer':
      await passOn(exchange, (response) => {
        answer.writeHead(response.statusCode ?? 502, { ...response.headers, ...NOT_KEPT })
        answer.write('{', () => incoming.socket.destroy())
      })
      return
    case 'answer':
      answer.writeHead(disturbance.status, { ...NOT_KEPT, 'Access-Control-Allow-Origin': '*' })
      answer.end(disturbance.body)
      return
    case 'late':
      await pause(disturbance.delayMs)
      break
    case undefined:
  }
  await passOn(exchange, (response) => {
    answer.writeHead(response.statusCode ?? 502, { ...response.headers, ...NOT_KEPT })
    response.pipe(answer)
  })
}

/** On a kept connection, a browser would itself repeat a lost request. */
const NOT_KEPT = { Connection: 'close' }

function passOn(
  { incoming, answer, body, vaultPort }: Exchange,
  onAnswer: (response: IncomingMessage) => void,
): Promise<void> {
  const { method, url, headers } = incoming
  const options = { host: '127.0.0.1', port: vaultPort, method, path: url, headers }
  return new Promise((resolve) => {
    const onward = request(options as RequestOptions, (response) => {
      onAnswer(response)
      resolve()
    })
    onward.on('error', () => {
      answer.writeHead(502).end()
      resolve()
    })
    onward.end(body)
  })
}
