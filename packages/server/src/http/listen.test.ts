import { connect } from 'node:net'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { type Listener, ListenError, listen } from './listen.js'

const log = pino({ enabled: false })

const listener = (
  port: number,
  fetch: Listener['fetch'] = () => new Response('hello'),
): Listener => ({
  role: 'api',
  host: '127.0.0.1',
  port,
  portVariable: 'COFRE_API_PORT',
  fetch,
})

/** Sends bytes as they are and answers what comes back until the connection ends. */
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

// Below the range that systems hand out for outgoing connections.
const PORT = 21_370

describe('listen', () => {
  it('serves, and names every answer', async () => {
    const close = await listen(listener(PORT), log)
    const answer = await fetch(`http://127.0.0.1:${PORT}/`)
    expect(await answer.text()).toBe('hello')
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    await close()
  })

  it('says which port is in use and how to change it', async () => {
    const close = await listen(listener(PORT), log)
    const second = listen(listener(PORT), log)
    await expect(second).rejects.toThrow(ListenError)
    await expect(second).rejects.toThrow(
      /Port 21370 on 127\.0\.0\.1, for the role api, is in use.*COFRE_API_PORT/,
    )
    await close()
  })

  it('names the host when it is not the machine’s', async () => {
    await expect(listen({ ...listener(PORT), host: '192.0.2.1' }, log)).rejects.toThrow(
      /^COFRE_HOST=192\.0\.2\.1/,
    )
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400, 90007],
    [
      'a bad chunk',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      90007,
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      90007,
    ],
    ['long headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 90008],
    [
      'an expectation',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
      417,
      90007,
    ],
  ])('answers %s in the one error shape', async (_, bytes, status, code) => {
    const close = await listen(listener(PORT), log)
    const answer = await exchange(PORT, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    const body: unknown = JSON.parse(answer.split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ errors: [{ code }] })
    await close()
  })

  it('stops although a connection is silent', async () => {
    const close = await listen(listener(PORT), log)
    const silent = exchange(PORT, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await close()
    await silent.catch(() => undefined)
  })

  it('lets a running request finish before it stops', async () => {
    let finish: () => void = () => undefined
    const slow = listener(PORT, async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return new Response('done')
    })
    const close = await listen(slow, log)
    const answer = fetch(`http://127.0.0.1:${PORT}/`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const closing = close()
    finish()
    expect(await (await answer).text()).toBe('done')
    await closing
  })
})
