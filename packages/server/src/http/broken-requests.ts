import { type Server, STATUS_CODES } from 'node:http'
import { ApiError, type ErrorName, SECOND_MS } from '@cofre/contracts'

/** Time to read the answer; a client that does not hang up keeps no connection for longer. */
const LINGER_MS = 2 * SECOND_MS

/**
 * Gives requests that are not HTTP, or do not arrive in time, and so never reach an application, the one error shape: shops take
 * JSON without `errors` for success.
 */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, body, headers } = answerTo(error.code)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
    const lingering = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => {
      clearTimeout(lingering)
    })
  })
  server.on('checkExpectation', (_request, response) => {
    const { body, headers } = answerTo(undefined)
    response.writeHead(417, headers)
    response.end(body)
  })
}

/** For a request that is HTTP and has no usable address, such as one without a Host. */
export function unaddressedResponse(): Response {
  const { status, body, headers } = answerTo(undefined)
  return new Response(body, { status, headers })
}

const NAMES: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function answerTo(code = '') {
  const error = new ApiError(NAMES[code] ?? 'request_malformed')
  const body = JSON.stringify(error.toBody())
  const headers = {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  }
  return { status: error.status, body, headers }
}
