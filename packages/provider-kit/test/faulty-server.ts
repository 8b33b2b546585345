import type { IncomingMessage, ServerResponse } from 'node:http'
import { endCalls, stopCallTime } from './call-time.js'
import { type TestServer, startHttpsServer } from './https-server.js'

export interface Fault {
  /** Matches `POST /payments`; default: any call. */
  readonly on?: RegExp
  /** `after`: once the acquirer has booked. */
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
  const startTime = stopCallTime()
  const close = async () => {
    startTime()
    await server.close()
  }
  return { ...server, faults, calls, close }
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
  } else if (act === 'silence') endCalls()
  else {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
}

/** Every way in which an answer can be lost; some repeat the request. */
export function lostAnswers(request: string): readonly (readonly [string, Fault['act']])[] {
  const html = `<html>${request}</html>`
  return [
    ['is cut', 'cut'],
    ['is cut in its middle', 'cut_in_body'],
    ['never comes', 'silence'],
    ['is a 500', { status: 500, body: '{}' }],
    ['is a 504 in HTML', { status: 504, body: html }],
    ['is HTML', { status: 200, body: html }],
    ['has 10 MB', { status: 200, body: ' '.repeat(10 * 1024 ** 2) }],
    ['is JSON of another kind', { status: 200, body: '{"pspReference":7,"Payment":{"Status":2}}' }],
    ['is nested without end', { status: 201, body: '['.repeat(9000) + ']'.repeat(9000) }],
    ['is an empty 400', { status: 400, body: '' }],
  ]
}

/** Answers after which nothing was done, for certain. */
export const REFUSALS_AT_THE_DOOR: readonly (readonly [string, Fault['act'], string])[] = [
  ['a 401', { status: 401, body: '' }, 'login'],
  ['a 403 in HTML', { status: 403, body: '<html></html>' }, 'login'],
  ['a 429', { status: 429, body: '', headers: { 'retry-after': '7' } }, 'limited'],
]
