import { type IncomingHttpHeaders, createServer } from 'node:http'
import { text } from 'node:stream/consumers'

interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** An endpoint that accepts every event. */
export async function startEventReceiver() {
  const received: ReceivedEvent[] = []
  const server = createServer((request, answer) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body })
      answer.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${address.port}/events`, received, close }
}
