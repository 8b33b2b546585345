import { createServer } from 'node:http'

interface Attribute {
  readonly key: string
  readonly value: Record<string, unknown>
}

export interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes?: Attribute[]
}

interface Exported {
  readonly resourceSpans: { readonly scopeSpans: { readonly spans: Span[] }[] }[]
}

/** A collector that records received spans, over OTLP/HTTP in JSON. */
export async function startCollector() {
  const bodies: string[] = []
  const paths: (string | undefined)[] = []
  const answer = { status: 200 }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      paths.push(request.url)
      bodies.push(body)
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Response to the next exports. */
    answer,
    bodies,
    paths,
    spans: (): Span[] =>
      bodies.flatMap((body) =>
        (JSON.parse(body) as Exported).resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
