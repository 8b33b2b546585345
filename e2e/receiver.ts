import { createServer } from 'node:http'

/** A notification as received. */
export interface ReceivedNotification {
  readonly id: string
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: ReceivedNotification[]
  /** HTTP status of the responses; a test may change it. */
  answer: number
  /** Delay before a response, in milliseconds; a test may change it. */
  delayMs: number
  close(): Promise<void>
}

/** A shop that accepts every notification by default. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedNotification[] = []
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = request.headers['webhook-id']
      received.push({ id: String(id), body: Buffer.concat(chunks).toString() })
      // Chosen here: a test that has seen this notification changes only the next response.
      const status = receiver.answer
      setTimeout(() => answer.writeHead(status).end(), receiver.delayMs)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/notifications`,
    received,
    answer: 200,
    delayMs: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
  return receiver
}
