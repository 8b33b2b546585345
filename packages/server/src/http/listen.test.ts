import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { type Listener, ListenError, listen } from './listen.js'
import { testApplication, testServing } from './serving.fixture.js'
import { freePort } from './free-port.fixture.js'

const listener = (
  port: number,
  answer: Parameters<typeof testApplication>[0] = () => new Response('hello'),
): Listener => ({
  role: 'api',
  host: '127.0.0.1',
  port,
  portVariable: 'COFRE_API_PORT',
  publicUrl: 'http://a',
  application: testApplication(answer),
  serving: testServing(),
})

/** Sends raw bytes and returns all received data until the connection ends. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.on('close', () => {
      resolve(answer)
    })
    socket.on('error', reject)
  })
}

/**
 * An application whose responses to paths that end in `/held` wait for a call of `finish`; `asked`
 * counts requests.
 */
function holding() {
  const finished = Promise.withResolvers<undefined>()
  const held = {
    asked: 0,
    finish() {
      finished.resolve(undefined)
    },
    answer: async ({ url }: Request) => {
      held.asked++
      if (url.endsWith('/held')) await finished.promise
      return new Response(`done ${url}`)
    },
  }
  return held
}

const PORT = await freePort()

describe('listen', () => {
  it('serves, and names every answer', async () => {
    const close = await listen(listener(PORT))
    const answer = await fetch(`http://127.0.0.1:${PORT}/`)
    expect(await answer.text()).toBe('hello')
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    await close()
  })

  it.each(['http', 'HTTP'])('serves a request line in absolute form, with %s', async (scheme) => {
    const targets: unknown[] = []
    const close = await listen(
      listener(PORT, ({ url }, bindings) => {
        targets.push(Reflect.get(Reflect.get(bindings, 'incoming') as object, 'url'), url)
        return new Response('hello')
      }),
    )
    const line = `GET ${scheme}://elsewhere.example/transactions?a=%2F HTTP/1.1`
    const answer = await exchange(PORT, `${line}\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1.1 200 /)
    expect(targets).toEqual(['/transactions?a=%2F', 'http://a/transactions?a=%2F'])
    await close()
  })

  it('names the port in use and the way to change it', async () => {
    const close = await listen(listener(PORT))
    const second = listen(listener(PORT))
    await expect(second).rejects.toThrow(ListenError)
    await expect(second).rejects.toThrow(
      new RegExp(`Port ${PORT} on 127\\.0\\.0\\.1, for the role api, is in use.*COFRE_API_PORT`),
    )
    await close()
  })

  it('names the host when it is not the machine’s', async () => {
    await expect(listen({ ...listener(PORT), host: '192.0.2.1' })).rejects.toThrow(
      /^COFRE_HOST=192\.0\.2\.1/,
    )
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 90007],
    [
      'a bad chunk',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      90007,
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      90007,
    ],
    ['long headers', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 90008],
    [
      'an expectation',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      417,
      90007,
    ],
  ])('answers %s in the one error shape', async (_, bytes, status, code) => {
    const close = await listen(listener(PORT))
    const answer = await exchange(PORT, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const body: unknown = JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ errors: [{ code }] })
    await close()
  })

  it.each([
    ['text', async (request: Request) => await request.text()],
    ['bytes', async (request: Request) => Buffer.from(await request.arrayBuffer()).toString()],
  ])('ends a body where its declared length does, read as %s', async (_, read) => {
    const bodies: string[] = []
    const reading = listener(PORT, async (request) => {
      bodies.push(await read(request))
      return new Response()
    })
    const close = await listen(reading)
    await exchange(PORT, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhello\r\n\r\n')
    expect(bodies).toEqual(['he'])
    await close()
  })

  it('takes no body that has a length and chunks', async () => {
    const close = await listen(
      listener(PORT, async (request) => new Response(await request.text())),
    )
    const answer = await exchange(
      PORT,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    await close()
  })

  it('answers 500, and no 4xx, where an application fails', async () => {
    const failing = listener(PORT)
    const serving = testServing()
    const fail = () => Promise.reject(new Error('after the payment'))
    const { router, getPath } = failing.application
    const application = { router, getPath: getPath.bind(failing.application), fetch: fail }
    const close = await listen({ ...failing, application, serving })
    const answer = await fetch(`http://127.0.0.1:${PORT}/`)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ errors: [{ code: 30101 }] })
    expect(serving.lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, role: 'api', msg: 'a request failed' },
    ])
    await close()
  })

  it('gives every answer its headers, unless it has its own', async () => {
    const own = { 'Content-Type': 'text/html', 'Referrer-Policy': 'same-origin' }
    const close = await listen(listener(PORT, () => new Response('hello', { headers: own })))
    const { headers } = await fetch(`http://127.0.0.1:${PORT}/`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-length': '5',
      'content-type': 'text/html',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
    })
    await close()
  })

  const IMPATIENT = {
    headersTimeout: 100,
    requestTimeout: 200,
    connectionsCheckingInterval: 50,
    keepAliveTimeout: 5000,
  }

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow'],
    ['a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf'],
  ])('ends a connection that never finishes %s', async (_, bytes) => {
    const reading = listener(PORT, async (request) => new Response(await request.text()))
    const close = await listen(reading, IMPATIENT)
    const answer = await exchange(PORT, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":90009/)
    expect(await (await fetch(`http://127.0.0.1:${PORT}/`)).text()).toBe('')
    await close()
  })

  it('holds no place for a request whose body does not come', async () => {
    const serving = testServing()
    const slow = {
      ...listener(PORT, async (request) => new Response(await request.text())),
      serving,
    }
    const close = await listen(slow)
    const half = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf'
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(PORT, '127.0.0.1', () => socket.write(half))
      return socket
    })
    await expect
      .poll(async () => (await serving.metrics.requestsInFlight.get()).values[0]?.value)
      .toBe(20)
    const answer = await fetch(`http://127.0.0.1:${PORT}/`, { method: 'POST', body: 'whole' })
    expect(await answer.text()).toBe('whole')
    for (const socket of sockets) socket.destroy()
    await close()
  })

  it('does not call it a failure when a client hangs up', async () => {
    const serving = testServing()
    const reading = listener(PORT, async (request) => new Response(await request.text()))
    const close = await listen({ ...reading, serving })
    const socket = connect(PORT, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf')
    })
    await expect
      .poll(async () => (await serving.metrics.requestsInFlight.get()).values[0]?.value)
      .toBe(1)
    socket.destroy()
    await expect.poll(() => serving.lines.length).toBe(1)
    expect(JSON.parse(serving.lines[0] ?? '')).toMatchObject({ status: 499, level: 30 })
    await close()
  })

  it('stops although a connection is silent', async () => {
    const held = holding()
    const close = await listen(listener(PORT, held.answer))
    const silent = exchange(PORT, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf')
    await expect.poll(() => held.asked).toBe(1)
    await close()
    await silent.catch(() => undefined)
  })

  it('answers a request that has arrived, however long it takes, and waits for no other', async () => {
    const held = holding()
    const close = await listen(listener(PORT, held.answer), undefined, 100)
    const arrived = fetch(`http://127.0.0.1:${PORT}/held`)
    const half = exchange(PORT, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf')
    await expect.poll(() => held.asked).toBe(2)
    const closing = close()
    // It ends while the other is still being answered.
    await half.catch(() => undefined)
    held.finish()
    expect(await (await arrived).text()).toMatch(/^done .*\/held$/)
    await closing
  })

  it('answers the last of the requests that arrived on one connection', async () => {
    const held = holding()
    const close = await listen(listener(PORT, held.answer), undefined, 50)
    const requests = ['/quick', '/held'].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
    const answers = exchange(PORT, requests.join(''))
    await expect.poll(() => held.asked).toBe(2)
    const closing = close()
    await new Promise((resolve) => setTimeout(resolve, 150))
    held.finish()
    expect(await answers).toMatch(/done \S+\/quick[^]*done \S+\/held/)
    await closing
  })

  it('keeps no connection that it has answered with an error and that stays open', async () => {
    const close = await listen(listener(PORT))
    const stubborn = connect({ port: PORT, host: '127.0.0.1', allowHalfOpen: true })
    stubborn.on('error', () => undefined)
    stubborn.write('hello\r\n\r\n')
    let reported = ''
    stubborn.on('data', (chunk: Buffer) => (reported += chunk.toString()))
    await new Promise((resolve) => stubborn.once('end', resolve))
    expect(reported).toContain('90007')
    // A closed connection answers later data with a reset.
    const isGone = (): boolean => {
      stubborn.write('again')
      return stubborn.destroyed
    }
    await expect.poll(isGone, { timeout: 10_000 }).toBe(true)
    await close()
  })

  it.each([
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['no Host, as HTTP/1.0 allows', 'GET / HTTP/1.0\r\n\r\n'],
    ['a Host that is none', 'GET / HTTP/1.1\r\nHost: a b?#\r\nConnection: close\r\n\r\n'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ])('answers a request with %s in the one error shape', async (_, bytes) => {
    const close = await listen(listener(PORT))
    const answer = await exchange(PORT, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":90007')
    await close()
  })

  it('lets a running request finish before it stops', async () => {
    const held = holding()
    const close = await listen(listener(PORT, held.answer))
    const answer = fetch(`http://127.0.0.1:${PORT}/held`)
    await expect.poll(() => held.asked).toBe(1)
    const closing = close()
    held.finish()
    expect(await (await answer).text()).toMatch(/^done /)
    await closing
  })
})
