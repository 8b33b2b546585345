import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/**
 * A line to a PostgreSQL server that counts round trips: how often somebody spoke after the server
 * had answered.
 */
export interface CountedLine {
  readonly url: string
  roundTrips(): number
  close(): void
}

export async function openCountedLine(serverUrl: string): Promise<CountedLine> {
  const server = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let roundTrips = 0
  const line = createServer((near) => {
    const far = connect(Number(server.port), server.hostname)
    let speaker = 'server'
    near.on('data', () => {
      if (speaker === 'server') roundTrips += 1
      speaker = 'client'
    })
    far.on('data', () => (speaker = 'server'))
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      sockets.add(socket)
    }
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  const url = new URL(serverUrl)
  url.port = String((line.address() as AddressInfo).port)
  return {
    url: url.href,
    roundTrips: () => roundTrips,
    close() {
      line.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
