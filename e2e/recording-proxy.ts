import { createServer, request } from 'node:http'

/** One request that passed through, as sent. */
export interface RecordedRequest {
  readonly method: string
  readonly target: string
  readonly headers: string
  readonly body: string
}

export interface RecordingProxy {
  readonly url: string
  readonly requests: RecordedRequest[]
  close(): Promise<void>
}

/** Stands between the shop and the gateway and writes down what the shop sends. */
export async function startRecordingProxy(
  port: number,
  targetPort: number,
): Promise<RecordingProxy> {
  const requests: RecordedRequest[] = []
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const { method = '', url: target = '', rawHeaders } = incoming
      requests.push({ method, target, headers: rawHeaders.join('\n'), body: body.toString() })
      const onward = request(
        { host: '127.0.0.1', port: targetPort, method, path: target, headers: incoming.headers },
        (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers)
          response.pipe(answer)
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
