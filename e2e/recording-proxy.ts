import { createServer, request } from 'node:http'

/** One request that passed through, as sent. */
export interface RecordedRequest {
  readonly method: string
  readonly target: string
  readonly headers: string
  readonly body: string
  /** What came back; empty until then. */
  answer: string
}

export interface RecordingProxy {
  readonly url: string
  readonly requests: RecordedRequest[]
  close(): Promise<void>
}

/** Called when an answer has arrived, before it is passed on. */
export type AnswerHook = (request: RecordedRequest) => Promise<'pass' | 'cut'>

/**
 * Stands between two that talk HTTP, the shop and the gateway for one, and writes down what they
 * say.
 */
export async function startRecordingProxy(
  port: number,
  targetPort: number,
  beforeAnswer: AnswerHook = () => Promise.resolve('pass'),
): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = []
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const { method = '', url: target = '', rawHeaders } = incoming
      const recorded: RecordedRequest = {
        method,
        target,
        headers: rawHeaders.join('\n'),
        body: body.toString(),
        answer: '',
      }
      requests.push(recorded)
      const onward = request(
        { host: '127.0.0.1', port: targetPort, method, path: target, headers: incoming.headers },
        (response) => {
          const answered: Buffer[] = []
          response.on('data', (chunk: Buffer) => answered.push(chunk))
          response.on('end', () => {
            const bytes = Buffer.concat(answered)
            recorded.answer = bytes.toString()
            void beforeAnswer(recorded).then((verdict) => {
              if (verdict === 'cut') answer.destroy()
              else answer.writeHead(response.statusCode ?? 502, response.headers).end(bytes)
            })
          })
        },
      )
      onward.on('error', () => answer.writeHead(502).end())
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
