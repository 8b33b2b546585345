import { createServer, request } from 'node:http'

/** A request that passed through, as sent. */
export interface RecordedRequest {
  readonly method: string
  readonly target: string
  readonly headers: string
  readonly body: string
  /** The response received so far. */
  readonly answer: string
}

export interface RecordingProxy {
  readonly url: string
  readonly requests: RecordedRequest[]
  close(): Promise<void>
}

/**
 * The lifetime in the gateway's response headers, which the proxy passes on: a client that relies
 * on them may send a request on a connection that is being closed.
 */
export const KEPT = { keepAliveTimeout: 75_000 }

/** Called when a response has arrived, before it is passed on. */
export type AnswerHook = (request: RecordedRequest) => Promise<'pass' | 'cut'>

/**
 * Forwards HTTP between two parties, such as the shop and the gateway, and records their requests
 * and responses.
 */
export async function startRecordingProxy(
  port: number,
  targetPort: number,
  beforeAnswer?: AnswerHook,
): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = []
  const server = createServer(KEPT, (incoming, answer) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const { method = '', url: target = '', rawHeaders } = incoming
      const answered: Buffer[] = []
      const recorded: RecordedRequest = {
        method,
        target,
        headers: rawHeaders.join('\n'),
        body: body.toString(),
        get answer() {
          return Buffer.concat(answered).toString()
        },
      }
      requests.push(recorded)
      const onward = request(
        { host: '127.0.0.1', port: targetPort, method, path: target, headers: incoming.headers },
        (response) => {
          response.on('data', (chunk: Buffer) => answered.push(chunk))
          const head = [response.statusCode ?? 502, response.headers] as const
          if (beforeAnswer === undefined) {
            response.pipe(answer.writeHead(...head))
            // A page that follows changes closes the connection when it is left.
            answer.once('close', () => onward.destroy())
            return
          }
          response.on('end', () => {
            void beforeAnswer(recorded).then((verdict) => {
              if (verdict === 'cut') answer.destroy()
              else answer.writeHead(...head).end(Buffer.concat(answered))
            })
          })
        },
      )
      onward.on('error', () => {
        if (answer.headersSent) answer.destroy()
        else answer.writeHead(502).end()
      })
      onward.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
