import { Agent, get } from 'node:http'
import { type Socket, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Readiness } from '../observability/readiness.js'
import { listen } from './listen.js'
import { testApplication, testServing } from './serving.fixture.js'
import { freePort } from './free-port.fixture.js'

const PORT = await freePort()
const CLIENTS = 40
const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

let close: () => Promise<void> = () => Promise.resolve()
let sockets: Socket[] = []
let agent = new Agent()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  agent.destroy()
  await close()
})

/** A port whose responses to `/held` wait for `finish`; `asked` has the path of each request. */
async function openPort({ graceMs = 3000 } = {}) {
  agent = new Agent({ keepAlive: true })
  const finished = Promise.withResolvers<undefined>()
  const asked: string[] = []
  const application = testApplication(async ({ url }) => {
    const { pathname } = new URL(url)
    asked.push(pathname)
    if (pathname === '/held') await finished.promise
    return new Response(`answer to ${pathname}`)
  })
  const readiness = new Readiness()
  const serving = testServing({ readiness })
  const listener = {
    role: 'api',
    host: '127.0.0.1',
    port: PORT,
    portVariable: 'COFRE_API_PORT',
    publicUrl: 'http://a',
  }
  const stop = await listen({ ...listener, application, serving }, undefined, graceMs)
  let stopped: Promise<void> | undefined
  close = () => (stopped ??= stop())
  return {
    asked,
    readiness,
    finish: () => {
      finished.resolve(undefined)
    },
  }
}

/** Sends a request over the agent's connections. Resolves to its result. */
function ask(path: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = get({ agent, host: '127.0.0.1', port: PORT, path }, (response) => {
      response.resume()
      response.once('end', () => {
        resolve(`${response.statusCode} ${response.headers.connection}`)
      })
    })
    sent.once('error', (error: NodeJS.ErrnoException) => {
      resolve(`${sent.reusedSocket ? 'reused ' : ''}${error.code}`)
    })
  })
}

function openConnection(bytes = '') {
  const socket = connect(PORT, '127.0.0.1')
  sockets.push(socket)
  const connection = {
    socket,
    received: '',
    connected: new Promise((resolve) => socket.once('connect', resolve)),
    ended: new Promise((resolve) => socket.once('close', resolve)),
  }
  socket.on('data', (chunk: Buffer) => (connection.received += chunk.toString()))
  socket.on('error', (error) => (connection.received += error.message))
  if (bytes !== '') socket.write(bytes)
  return connection
}

describe('A port that is closed', () => {
  it('answers a request sent at the same moment, and announces that it is the last', async () => {
    await openPort()
    expect(await ask('/first')).toBe('200 keep-alive')
    const second = ask('/second')
    void close()
    expect(await second).toBe('200 close')
    expect(await ask('/third')).toBe('ECONNREFUSED')
    await close()
  })

  it('resets no client that keeps its connections and sends more requests', async () => {
    await openPort()
    const outcomes: string[] = []
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (outcomes.at(-1) !== 'ECONNREFUSED') {
        outcomes.push(await ask('/'))
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
      }
    })
    await expect.poll(() => outcomes.length).toBeGreaterThan(10 * CLIENTS)
    await close()
    await Promise.all(clients)
    expect([...new Set(outcomes)].sort()).toEqual(['200 close', '200 keep-alive', 'ECONNREFUSED'])
  })

  it('answers those whose connection waits to be accepted', async () => {
    await openPort()
    const waiting = Array.from({ length: CLIENTS }, () => openConnection(request('/')))
    await Promise.all(waiting.map(({ connected }) => connected))
    await close()
    await Promise.all(waiting.map(({ ended }) => ended))
    for (const { received } of waiting) expect(received).toContain('answer to /')
  })

  it('works on nothing that comes after its last answer', async () => {
    const { asked, finish } = await openPort()
    const { socket, ended } = openConnection(request('/held'))
    await expect.poll(() => asked).toEqual(['/held'])
    const stopped = close()
    finish()
    // By now, the response is on its way and announces that it is the last.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    socket.write(request('/payment'))
    await ended
    await stopped
    expect(asked).toEqual(['/held'])
  })

  it('answers the last of the requests that had come on a connection', async () => {
    const { asked, finish } = await openPort({ graceMs: 50 })
    const connection = openConnection(request('/held') + request('/payment'))
    await expect.poll(() => asked).toEqual(['/held', '/payment'])
    const stopped = close()
    finish()
    await connection.ended
    expect(connection.received).toMatch(/answer to \/held[^]*answer to \/payment/)
    await stopped
  })

  it('ends a connection on which nothing is asked, after a while', async () => {
    await openPort({ graceMs: 50 })
    const connection = openConnection(request('/'))
    await expect.poll(() => connection.received).toContain('answer to /')
    await close()
    await connection.ended
    expect(connection.received).not.toContain('ECONNRESET')
  })
})

describe('A process that has been asked to stop', () => {
  it('announces it in every response, and still accepts connections', async () => {
    const { readiness } = await openPort()
    expect(await ask('/')).toBe('200 keep-alive')
    readiness.stopping()
    expect(await ask('/')).toBe('200 close')
    expect(await ask('/')).toBe('200 close')
  })
})
