import { type Server, STATUS_CODES } from 'node:http'
import { ApiError, type ErrorName } from '@cofre/contracts'

/**
 * Gives requests that are not HTTP, and so never reach an application, the one error shape: shops take JSON without
 * `errors` for success.
 */
export function answerBrokenRequests(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const { status, body } = answerTo(error.code)
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
        'Content-Type: application/json; charset=UTF-8\r\n' +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
  })
  server.on('checkExpectation', (_request, response) => {
    const { body } = answerTo(undefined)
    response.writeHead(417, {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    response.end(body)
  })
}

function answerTo(code: string | undefined): { readonly status: number; readonly body: string } {
  const name: ErrorName = code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'request_malformed'
  const error = new ApiError(name)
  return { status: error.status, body: JSON.stringify(error.toBody()) }
}
