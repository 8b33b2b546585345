import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { MINUTE_MS } from '@cofre/contracts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerBrokenRequests, countUnserved } from './broken-requests.js'
import { Connections } from './connections.js'
import { listen } from './listen.js'
import { testApplication, testServing } from './serving.fixture.js'
import { freePort } from './free-port.fixture.js'

const PORT = await freePort()
const CARD = '4111111111111111'
const IMPATIENT = {
  headersTimeout: 100,
  requestTimeout: 200,
  connectionsCheckingInterval: 50,
  keepAliveTimeout: 5000,
}

/** Sends bytes and waits until the other side ends the connection. */
function send(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve()
    })
  })
}

describe('A request or connection that a port refuses', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each([
    ['is no HTTP', `${CARD}\r\n\r\n`, 400, 90007],
    [
      'has long headers',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${CARD.repeat(3000)}\r\n\r\n`,
      431,
      90008,
    ],
    ['does not end its headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${CARD}`, 408, 90009],
    ['names no host', `GET /${CARD} HTTP/1.0\r\n\r\n`, 400, 90007],
    [
      'expects miracles',
      `GET /${CARD} HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
      417,
      90007,
    ],
  ])('is counted and logged without its bytes when it %s', async (_, bytes, status, code) => {
    const serving = testServing()
    const close = await listen(
      {
        role: 'api',
        host: '127.0.0.1',
        port: PORT,
        portVariable: 'COFRE_API_PORT',
        publicUrl: 'http://a',
        application: testApplication(() => new Response()),
        serving,
      },
      // The others arrive completely, even on a slow machine.
      status === 408 ? IMPATIENT : undefined,
    )
    await send(PORT, bytes)
    await close()
    expect((await serving.metrics.requests.get()).values).toEqual([
      { labels: { role: 'api', route: 'unreadable', method: 'OTHER', status }, value: 1 },
    ])
    expect((await serving.metrics.errors.get()).values).toMatchObject([{ labels: { code } }])
    expect(serving.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 30, role: 'api', status, errors: [code], count: 1 },
    ])
    expect(serving.lines.join('')).not.toContain(CARD)
  })

  it('gets at most one line a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const serving = testServing()
    const unserved = countUnserved({ ...serving, role: 'api' })
    const counts = () => serving.lines.map((line) => (JSON.parse(line) as { count: number }).count)
    for (let i = 0; i < 50; i++) unserved.unreadable(400, 90007)
    expect(counts()).toEqual([1])
    vi.advanceTimersByTime(MINUTE_MS)
    for (let i = 0; i < 50; i++) unserved.unreadable(408, 90009)
    expect(counts()).toEqual([1, 50])
    const { values } = await serving.metrics.requests.get()
    expect(values.map(({ value }) => value)).toEqual([50, 50])
  })

  it('may be a connection that cannot be accepted, with a line a minute', async () => {
    const serving = testServing()
    const unserved = countUnserved({ ...serving, role: 'api' })
    const error = Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' })
    for (let i = 0; i < 50; i++) unserved.notAccepted(error)
    expect(serving.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, role: 'api', count: 1, msg: 'a connection could not be accepted' },
    ])
    const { values } = await serving.metrics.connectionsDropped.get()
    expect(values).toEqual([{ labels: { role: 'api' }, value: 50 }])
  })

  it('may be a connection beyond the limit of the port', async () => {
    const serving = testServing()
    const server = createServer()
    server.maxConnections = 1
    answerBrokenRequests(
      server,
      new Connections(server),
      countUnserved({ ...serving, role: 'api' }),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const first = connect(port, '127.0.0.1')
    await new Promise((resolve) => server.once('connection', resolve))
    await send(port, '')
    await send(port, '')
    const { values } = await serving.metrics.connectionsDropped.get()
    expect(values).toEqual([{ labels: { role: 'api' }, value: 2 }])
    expect(serving.lines).toHaveLength(1)
    expect(JSON.parse(serving.lines[0] ?? '')).toMatchObject({ level: 40, role: 'api', count: 1 })
    first.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
})
