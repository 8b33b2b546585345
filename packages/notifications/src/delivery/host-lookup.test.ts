import { type RemoteInfo, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type HostLookupOptions, createHostLookup } from './host-lookup.js'

const TYPE_A = 1
const NO_SUCH_NAME = 3

/** Four bytes of an IPv4 address, no address of the wanted kind, no such name, or silence. */
type Answer = readonly number[] | 'nothing' | 'no such name' | 'silence'

/** Starts a name server with the test's answers, and returns its address. */
async function nameServer(answer: (host: string) => Answer): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (query: Buffer, { port, address }: RemoteInfo) => {
    const reply = replyTo(query, answer(hostOf(query)))
    if (reply !== undefined) socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => {
    socket.close()
  })
  return `127.0.0.1:${socket.address().port}`
}

function hostOf(query: Buffer): string {
  const labels: string[] = []
  for (let at = 12, length; (length = query[at] ?? 0) > 0; at += length + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
  }
  return labels.join('.').toLowerCase()
}

function replyTo(query: Buffer, answer: Answer): Buffer | undefined {
  if (answer === 'silence') return undefined
  const questionEnd = 12 + hostOf(query).length + 2 + 4
  const isAnswered = typeof answer !== 'string' && query.readUInt16BE(questionEnd - 4) === TYPE_A
  const head = Buffer.from(query.subarray(0, questionEnd))
  head.writeUInt16BE(0x8180 | (answer === 'no such name' ? NO_SUCH_NAME : 0), 2)
  head.writeUInt16BE(Number(isAnswered), 6)
  head.writeUInt32BE(0, 8)
  // A record: the name by pointer, type A, class IN, a minute, four bytes.
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...(isAnswered ? answer : [])]
  return isAnswered ? Buffer.concat([head, Buffer.from(record)]) : head
}

const never = new AbortController().signal
const lookupWith = (options: Partial<HostLookupOptions>) =>
  createHostLookup({ knowsPrivateNames: false, ...options })

describe('a host', () => {
  it('is found by the name servers', async () => {
    const lookup = lookupWith({ nameServers: [await nameServer(() => [203, 0, 113, 7])] })
    expect(await lookup('shop.example', never)).toEqual(['203.0.113.7'])
  })

  it.each(['nothing', 'no such name'] as const)(
    'is not found when they answer %s',
    async (answer) => {
      const systemLookup = vi.fn(() => Promise.resolve(['10.0.0.1']))
      const nameServers = [await nameServer(() => answer)]
      expect(await lookupWith({ nameServers, systemLookup })('shop.example', never)).toEqual([])
      expect(systemLookup).not.toHaveBeenCalled()
    },
  )

  it('is found as the system does where private networks are allowed', async () => {
    const systemLookup = (): Promise<string[]> => Promise.resolve(['10.0.0.1'])
    const nameServers = [await nameServer(() => 'no such name')]
    const lookup = lookupWith({ nameServers, systemLookup, knowsPrivateNames: true })
    expect(await lookup('shop', never)).toEqual(['10.0.0.1'])
  })

  it.each(['localhost', 'shop.localhost'])(
    '%s is this machine, and nobody is asked',
    async (host) => {
      const asked = vi.fn(() => 'silence' as const)
      const lookup = lookupWith({ nameServers: [await nameServer(asked)] })
      expect(await lookup(host, never)).toEqual(['127.0.0.1', '::1'])
      expect(asked).not.toHaveBeenCalled()
    },
  )

  it('is found at once while many others are waited for', async () => {
    const nameServers = [
      await nameServer((host) => (host.startsWith('slow') ? 'silence' : [203, 0, 113, 7])),
    ]
    const systemLookup = vi.fn(() => Promise.resolve([]))
    const lookup = lookupWith({ nameServers, systemLookup, knowsPrivateNames: true })
    const abandoned = new AbortController()
    const slow = Array.from({ length: 50 }, (_, i) => lookup(`slow${i}.example`, abandoned.signal))
    const ended = Promise.allSettled(slow)
    expect(await lookup('shop.example', never)).toEqual(['203.0.113.7'])
    abandoned.abort()
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']))
    // Silence is no proof that the name does not exist.
    expect(systemLookup).not.toHaveBeenCalled()
  })

  it('that the system looks for is asked for once at a time, and few others beside it', async () => {
    const searches = new Map<string, (addresses: string[]) => void>()
    const systemLookup = vi.fn(
      (host: string) => new Promise<string[]>((resolve) => searches.set(host, resolve)),
    )
    const nameServers = [await nameServer(() => 'no such name')]
    const lookup = lookupWith({ nameServers, systemLookup, knowsPrivateNames: true })
    const found = Promise.all(['a', 'a', 'b', 'b', 'c', 'd'].map((host) => lookup(host, never)))
    const finish = async (host: string, address: string): Promise<void> => {
      await vi.waitUntil(() => searches.has(host), 60_000)
      searches.get(host)?.([address])
    }
    await vi.waitUntil(() => searches.size === 2, 60_000)
    const [first = '', second = ''] = searches.keys()
    await finish(first, '10.0.0.1')
    await vi.waitUntil(() => searches.size === 3, 60_000)
    await finish(second, '10.0.0.1')
    for (const host of ['a', 'b', 'c', 'd']) await finish(host, '10.0.0.1')
    expect(await found).toEqual(Array(6).fill(['10.0.0.1']))
    expect(systemLookup).toHaveBeenCalledTimes(4)
  })
})
