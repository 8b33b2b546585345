import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'

/** Counts of the traffic on a connection. */
export interface Asked {
  /** Number of times the client sent data after a response of the server. */
  readonly roundTrips: number
  readonly statements: number
  readonly commits: number
}

/** A connection to a PostgreSQL server that counts round trips, statements and commits. */
export interface CountedLine {
  readonly url: string
  asked(): Asked
  close(): void
}

export async function openCountedLine(serverUrl: string): Promise<CountedLine> {
  const server = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const asked = { roundTrips: 0, statements: 0, commits: 0 }
  const line = createServer((near) => {
    const far = connect(Number(server.port), server.hostname)
    let speaker = 'server'
    const read = messageReader((type, content) => {
      if (type === 'E') asked.statements += 1
      if (type === 'Q' && content.startsWith('commit')) asked.commits += 1
    })
    near.on('data', (data: Buffer) => {
      if (speaker === 'server') asked.roundTrips += 1
      speaker = 'client'
      read(data)
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
    asked: () => ({ ...asked }),
    close() {
      line.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Parses messages of PostgreSQL's protocol, from the first one of a connection. */
function messageReader(take: (type: string, content: string) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  /** The first message has no type byte. */
  let typeBytes = 0
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= typeBytes + 4) {
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) return
      if (typeBytes > 0) take(rest.toString('latin1', 0, 1), rest.toString('utf8', 5, end))
      rest = rest.subarray(end)
      typeBytes = 1
    }
  }
}
