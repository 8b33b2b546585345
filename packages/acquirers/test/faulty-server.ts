import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestServer, startHttpsServer } from '../../outbound/test/https-server.js'

/** Something that goes wrong with one call. */
export interface Fault {
  /** Of `POST /payments`; default: any call. */
  readonly on?: RegExp
  /** `after`: the acquirer has booked. */
  readonly when: 'before' | 'after'
  readonly act:
    | 'cut'
    | 'cut_in_body'
    | 'silence'
    | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON. */
  readonly body: unknown
}

export type Answer = readonly [status: number, body?: unknown]

export interface FaultyServer extends TestServer {
  readonly faults: Fault[]
  readonly calls: Call[]
}

/** An acquirer's HTTPS, whose answers can be lost in every way. */
export async function startFaultyServer(route: (call: Call) => Answer): Promise<FaultyServer> {
  const faults: Fault[] = []
  const calls: Call[] = []
  const server = await startHttpsServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (part: string) => (text += part))
    request.on('end', () => {
      const call = callOf(request, text)
      calls.push(call)
      const at = faults.findIndex(({ on }) => on?.test(`${call.method} ${call.path}`) ?? true)
      const [fault] = at < 0 ? [] : faults.splice(at, 1)
      const answer: Answer = fault?.when === 'before' ? [500] : route(call)
      respond(response, answer, fault?.act)
    })
  })
  return { ...server, faults, calls }
}

function callOf(request: IncomingMessage, text: string): Call {
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers as Record<string, string>,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function respond(response: ServerResponse, [status, body]: Answer, act?: Fault['act']): void {
  const text = body === undefined ? '' : JSON.stringify(body)
  if (act === 'cut') response.socket?.destroy()
  else if (act === 'cut_in_body') {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': 4000 })
    response.write(text.slice(0, 20), () => response.socket?.destroy())
  } else if (typeof act === 'object') {
    response.writeHead(act.status, act.headers).end(act.body)
  } else if (act === undefined) {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
}
