import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listen } from './listen.js'
import { testApplication, testServing } from './serving.fixture.js'
import { freePort } from './free-port.fixture.js'

const PORT = await freePort()
const PAYMENT = 'POST /pay HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\norder'
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

const IMPATIENT = {
  headersTimeout: 100,
  requestTimeout: 200,
  connectionsCheckingInterval: 50,
  keepAliveTimeout: 5000,
}

let close: () => Promise<void> = () => Promise.resolve()
afterEach(async () => {
  await close()
})

/**
 * A port whose responses wait until they are finished, by path; `asked` has each request whose body
 * has arrived.
 */
async function openPort(timeouts?: Parameters<typeof listen>[1]) {
  const asked: string[] = []
  const waiting = new Map<string, PromiseWithResolvers<undefined>>()
  const finished = (path: string) => {
    const known = waiting.get(path) ?? Promise.withResolvers<undefined>()
    waiting.set(path, known)
    return known
  }
  const application = testApplication(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/unread') return new Response('unread', { status: 401 })
    const body = await request.text()
    asked.push(pathname)
    if (pathname === '/stream') return new Response(streamOf(finished('/stream').promise))
    await finished(pathname).promise
    return new Response(`answer to ${pathname} ${body}`)
  })
  const serving = testServing()
  close = await listen(
    {
      role: 'api',
      host: '127.0.0.1',
      port: PORT,
      portVariable: 'COFRE_API_PORT',
      publicUrl: 'http://a',
      application,
      serving,
    },
    timeouts,
  )
  return {
    asked,
    serving,
    finish: (path: string) => {
      finished(path).resolve(undefined)
    },
  }
}

function streamOf(rest: Promise<unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from('first half, '))
      await rest
      controller.enqueue(Buffer.from('second half'))
      controller.close()
    },
  })
}

/** A connection that records the received bytes. */
function openConnection(bytes: string) {
  const socket = connect({ port: PORT, host: '127.0.0.1', allowHalfOpen: true })
  const connection = {
    socket,
    received: '',
    ended: new Promise<void>((resolve) => {
      socket.on('end', () => {
        socket.end()
        resolve()
      })
      socket.on('error', () => {
        resolve()
      })
    }),
  }
  socket.on('data', (chunk: Buffer) => (connection.received += chunk.toString()))
  socket.write(bytes)
  return connection
}

/** Status lines, in order. */
const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

/** Several times as long as a premature response would take. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 100))

describe('A request that is followed by what is none', () => {
  it.each([
    ['a stray byte', '\0', [200, 400]],
    ['a line that is no HTTP', 'hello\r\n\r\n', [200, 400]],
    ['a request with two lengths', 'GET / HTTP/1.1\r\nContent-Length: 1, 2\r\n\r\n', [200, 400]],
    ['long headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, [200, 431]],
    ['a body in a bad chunk', `${chunked('/late')}zz\r\n`, [200, 400]],
    ['a request without a Host', 'GET / HTTP/1.1\r\n\r\n', [200, 400]],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n', [200, 417]],
    ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', [200, 400]],
  ])('is answered first: %s', async (_, garbage, expected) => {
    const { asked, finish, serving } = await openPort()
    const connection = openConnection(PAYMENT + garbage)
    await expect.poll(() => asked).toEqual(['/pay'])
    await aWhile()
    expect(connection.received).toBe('')
    connection.socket.write('more that is none\r\n\r\n')
    await aWhile()
    finish('/pay')
    await connection.ended
    expect(statuses(connection.received)).toEqual(expected)
    expect(connection.received).toMatch(/answer to \/pay order\r?\n?HTTP/)
    expect(connection.received).toContain('{"errors":[{"code":9000')
    const lines = serving.lines.map((line) => JSON.parse(line) as { status: number })
    expect(lines.map(({ status }) => status).sort()).toEqual(expected)
  })

  it('is answered first although the rest of the next never comes', async () => {
    const { asked, finish } = await openPort(IMPATIENT)
    const connection = openConnection(`${PAYMENT}GET /half HTTP/1.1\r\nX-Slow`)
    await expect.poll(() => asked).toEqual(['/pay'])
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(connection.received).toBe('')
    finish('/pay')
    await connection.ended
    expect(statuses(connection.received)).toEqual([200, 408])
  })

  it('is answered first although the client sends no more', async () => {
    const { asked, finish } = await openPort()
    const connection = openConnection(`${PAYMENT}GET /half HTTP/1.1\r\nX-Sl`)
    await expect.poll(() => asked).toEqual(['/pay'])
    connection.socket.end()
    await aWhile()
    finish('/pay')
    await connection.ended
    expect(statuses(connection.received)).toEqual([200, 400])
  })

  it('is answered in its turn, as all that came before', async () => {
    const { asked, finish } = await openPort()
    const connection = openConnection(`${get('/one')}${PAYMENT}${get('/three')}\0`)
    await expect.poll(() => asked.toSorted()).toEqual(['/one', '/pay', '/three'])
    finish('/three')
    finish('/pay')
    await aWhile()
    expect(connection.received).toBe('')
    finish('/one')
    await connection.ended
    expect(connection.received).toMatch(
      /answer to \/one [^]*answer to \/pay order[^]*answer to \/three [^]* 400 Bad/,
    )
    expect(statuses(connection.received)).toEqual([200, 200, 200, 400])
  })

  it('gets an answer that has begun whole', async () => {
    const { finish } = await openPort()
    const connection = openConnection(get('/stream'))
    await expect.poll(() => connection.received).toContain('first half')
    connection.socket.write('\0')
    await aWhile()
    finish('/stream')
    await connection.ended
    expect(connection.received).toMatch(/first half[^]*second half[^]*HTTP\/1.1 400 /)
  })

  it.each([
    ['says that it is the last', 'GET /pay HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['is of HTTP/1.0', 'GET /pay HTTP/1.0\r\nHost: a\r\n\r\n'],
  ])('is the only one to be answered when it %s', async (_, request) => {
    const { asked, finish } = await openPort()
    const connection = openConnection(`${request}\0`)
    await expect.poll(() => asked).toEqual(['/pay'])
    await aWhile()
    finish('/pay')
    await connection.ended
    expect(statuses(connection.received)).toEqual([200])
  })

  it('is answered once when it was refused before its body broke', async () => {
    await openPort()
    const connection = openConnection(chunked('/unread'))
    await expect.poll(() => connection.received).toContain('unread')
    connection.socket.write('zz\r\n')
    await connection.ended
    expect(statuses(connection.received)).toEqual([401])
  })

  it('is answered once its body has arrived, however late', async () => {
    const { asked, finish } = await openPort()
    const connection = openConnection(`${get('/one')}${PAYMENT.slice(0, -2)}`)
    await expect.poll(() => asked).toEqual(['/one'])
    connection.socket.write(`${PAYMENT.slice(-2)}\0`)
    await expect.poll(() => asked).toEqual(['/one', '/pay'])
    finish('/one')
    finish('/pay')
    await connection.ended
    expect(statuses(connection.received)).toEqual([200, 200, 400])
  })
})

describe('A payment that follows a request that ends the connection', () => {
  it.each([
    ['a request without a Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n'],
  ])('is not worked on after %s', async (_, bad) => {
    const { asked, finish } = await openPort()
    finish('/pay')
    const connection = openConnection(bad + PAYMENT)
    await connection.ended
    expect(statuses(connection.received)).toHaveLength(1)
    expect(asked).toEqual([])
  })
})

function chunked(path: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`
}
