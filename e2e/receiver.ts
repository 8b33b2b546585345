import { createServer } from 'node:http'

/** One notification as it arrived. */
export interface ReceivedNotification {
  readonly id: string
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: ReceivedNotification[]
  close(): Promise<void>
}

/** A shop that takes every notification. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedNotification[] = []
  const server = createServer((request, answer) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const id = request.headers['webhook-id']
      received.push({ id: String(id), body: Buffer.concat(chunks).toString() })
      answer.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return {
    url: `http://127.0.0.1:${address.port}/notifications`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
