import { execFileSync, spawn } from 'node:child_process'
import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto'
import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import process from 'node:process'
import tls from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type HttpSenderOptions, createHttpSender } from './http-sender.js'
import type { OutgoingNotification, SendResult } from '../model/sending.js'
import { hostAllowance, parseTargetAllowances } from './notification-target.js'

const allowances = parseTargetAllowances('127.0.0.0/8:*')
const BODY = 'transaction-code=1&notification-type=transaction&note=ação'

async function send(
  notification: Partial<OutgoingNotification> & { url: string },
  options: Partial<HttpSenderOptions> = {},
): Promise<SendResult> {
  const sender = createHttpSender({ version: '1.2.3', allowances, ...options })
  return await sender.send({ headers: {}, body: BODY, ...notification })
}

async function listen(server: net.Server, address = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** The URL of a server that answers every request in the same way. */
async function receiver(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(http.createServer(answer))}/n`
}

/** The URL of a server with its own handling of each connection. */
async function listener(onConnection: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(net.createServer(onConnection))}/n`
}

describe('an answer', () => {
  it('is reported with its body, after the notification arrived unchanged', async () => {
    const got: unknown[] = []
    const url = await receiver((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url: target, headers } = request
        got.push({ method, target, headers, body: Buffer.concat(chunks).toString() })
        response.end('thank you')
      })
    })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'webhook-id': '1-1' }
    const result = await send({ url: `${url}?a=b c#d`, headers })
    expect(result).toEqual({
      statusCode: 200,
      responseExcerpt: 'thank you',
      durationMs: expect.any(Number) as number,
    })
    expect(got).toEqual([
      {
        method: 'POST',
        target: '/n?a=b%20c',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'webhook-id': '1-1',
          'user-agent': 'Cofre/1.2.3',
          accept: '*/*',
          'content-length': String(Buffer.byteLength(BODY)),
          host: new URL(url).host,
          connection: 'keep-alive',
        },
        body: BODY,
      },
    ])
  })

  it.each([204, 404, 500, 503])('of status %d is reported, not judged', async (status) => {
    const url = await receiver((_request, response) => response.writeHead(status).end())
    expect(await send({ url })).toMatchObject({ statusCode: status, responseExcerpt: '' })
  })

  it.each([301, 302, 303, 307, 308])('that redirects with %d is not followed', async (status) => {
    const targets: (string | undefined)[] = []
    const url = await receiver((request, response) => {
      targets.push(request.url)
      response.writeHead(status, { Location: '/elsewhere' }).end('go')
    })
    const result = await send({ url })
    expect(result).toMatchObject({ statusCode: status, responseExcerpt: 'go' })
    expect(result.error).toBeUndefined()
    expect(targets).toEqual(['/n'])
  })

  it('of 10 MB counts, but is not read to its end', async () => {
    let written = 0
    const closed = Promise.withResolvers<undefined>()
    const url = await receiver((_request, response) => {
      response.once('close', () => {
        closed.resolve(undefined)
      })
      response.writeHead(200)
      const chunk = Buffer.alloc(16 * 1024, 'x')
      const write = (): void => {
        while (written < 10 * 1024 * 1024 && !response.destroyed) {
          written += chunk.length
          if (!response.write(chunk)) {
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    })
    const result = await send({ url }, { responseBytesMax: 64 * 1024 })
    expect(result).toMatchObject({ statusCode: 200, responseExcerpt: 'x'.repeat(1024) })
    expect(result.error).toBeUndefined()
    await closed.promise
    expect(written).toBeLessThan(10 * 1024 * 1024)
  })

  it('is excerpted as one line of text, whole characters only', async () => {
    const text = `\u0000a\r\nb\u001b[31m\u202ec\u2028${'é'.repeat(600)}`
    const url = await receiver((_request, response) => response.end(text))
    const { responseExcerpt } = await send({ url })
    expect(responseExcerpt).toMatch(/^ a {2}b \[31m c é+$/)
    expect(Buffer.byteLength(responseExcerpt)).toBeLessThanOrEqual(1024)
  })

  it('is excerpted without card numbers', async () => {
    const url = await receiver((_request, response) => response.end('paid by 4111 1111 1111 1111'))
    expect((await send({ url })).responseExcerpt).toBe('paid by ************')
  })

  it('is excerpted without half of a card number at its end', async () => {
    const text = `${'x'.repeat(1008)} 4111111111111111`
    const url = await receiver((_request, response) => response.end(text))
    expect((await send({ url })).responseExcerpt).not.toMatch(/\d/)
  })

  it('that is no text is excerpted all the same', async () => {
    const url = await receiver((_request, response) => response.end(Buffer.from([0xff, 0x41])))
    expect((await send({ url })).responseExcerpt).toBe('\ufffdA')
  })
})

describe('a receiver that misbehaves', () => {
  it.each([
    ['says nothing', () => undefined],
    ['sends half a head', (socket: Socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: ')],
    [
      'sends interim answers for ever',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20)
        socket.once('close', () => {
          clearInterval(timer)
        })
      },
    ],
  ])('is given up when it %s', async (_, misbehave) => {
    const url = await listener(misbehave)
    const result = await send({ url }, { timeoutMs: 200 })
    expect(result).toMatchObject({ error: 'timeout', responseExcerpt: '' })
    expect(result.statusCode).toBeUndefined()
    expect(result.durationMs).toBeGreaterThanOrEqual(190)
    expect(result.durationMs).toBeLessThan(2000)
  })

  it('is aborted when its body drips, with the received status', async () => {
    const closed = Promise.withResolvers<undefined>()
    const url = await receiver((_request, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.once('close', () => {
        clearInterval(timer)
        closed.resolve(undefined)
      })
    })
    const result = await send({ url }, { timeoutMs: 300 })
    expect(result).toMatchObject({ statusCode: 200, error: 'timeout' })
    expect(result.responseExcerpt).toMatch(/^\.+$/)
    expect(result.durationMs).toBeLessThan(2000)
    await closed.promise
  })

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), 'connection_failed'],
    ['closes without an answer', (socket: Socket) => socket.end(), 'connection_failed'],
    [
      'changes the protocol',
      (socket: Socket) => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        )
      },
      'response_invalid',
    ],
    [
      'speaks another protocol',
      (socket: Socket) => socket.write('220 mail\r\n'),
      'response_invalid',
    ],
    [
      'sends an endless head',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`),
      'response_invalid',
    ],
  ])('is recorded when it %s', async (_, misbehave, error) => {
    const url = await listener((socket) => {
      socket.once('data', () => {
        misbehave(socket)
      })
    })
    const result = await send({ url }, { timeoutMs: 5000 })
    expect(result).toMatchObject({ error, responseExcerpt: '' })
    expect(result.statusCode).toBeUndefined()
  })

  it('is reported with its status when it breaks off in the body', async () => {
    const url = await listener((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', () => {
          setTimeout(() => socket.resetAndDestroy(), 50)
        })
      })
    })
    expect(await send({ url })).toMatchObject({
      statusCode: 200,
      error: 'connection_failed',
      responseExcerpt: 'half',
    })
  })

  it('is reported when nothing listens', async () => {
    const server = net.createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    const result = await send({ url: `http://127.0.0.1:${port}/` })
    expect(result).toMatchObject({ error: 'connection_failed' })
  })
})

describe('an address', () => {
  const neverAsked = vi.fn(() => Promise.reject(new Error('asked')))

  it.each([
    'http://127.0.0.1',
    'http://2130706433',
    'http://[::1]',
    'http://[::ffff:7f00:1]',
    'http://169.254.169.254',
    'https://10.0.0.1',
  ])('that is not public, %s, is refused without a connection', async (origin) => {
    const onConnection = vi.fn()
    const port = new URL(await listener(onConnection)).port
    const result = await send(
      { url: `${origin}:${port}/` },
      { allowances: [], lookup: neverAsked, timeoutMs: 1000 },
    )
    expect(result).toMatchObject({ error: 'address_refused', responseExcerpt: '' })
    expect(onConnection).not.toHaveBeenCalled()
    expect(neverAsked).not.toHaveBeenCalled()
  })

  it.each([['127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1', '::1', 'fe80::1%lo']])(
    'that a public name resolves to, %s, is refused',
    async (...addresses) => {
      const lookup = vi.fn(() => Promise.resolve(addresses))
      const result = await send({ url: 'http://shop.example/n' }, { allowances: [], lookup })
      expect(result).toMatchObject({ error: 'address_refused' })
      expect(lookup).toHaveBeenCalledExactlyOnceWith('shop.example', expect.any(AbortSignal))
    },
  )

  it('is the one that was judged: a name that changes is not asked again', async () => {
    const hosts: (string | undefined)[] = []
    const url = await receiver((request, response) => {
      hosts.push(request.headers.host)
      response.end()
    })
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const lookup = vi.fn(() => Promise.resolve(answers.shift() ?? []))
    const { port } = new URL(url)
    const named = `http://shop.example:${port}/n`
    expect(await send({ url: named }, { lookup })).toMatchObject({ statusCode: 200 })
    expect(lookup).toHaveBeenCalledExactlyOnceWith('shop.example', expect.any(AbortSignal))
    expect(hosts).toEqual([`shop.example:${port}`])
    expect(await send({ url: named }, { lookup })).toMatchObject({ error: 'address_refused' })
  })

  it('is not looked up for a name that an allowance knows', async () => {
    const url = await receiver((_request, response) => response.end())
    const lookup = vi.fn(() => Promise.resolve(['10.0.0.1']))
    const own = { allowances: [hostAllowance('trial.example', '127.0.0.1')], lookup }
    const named = url.replace('127.0.0.1', 'trial.example')
    expect(await send({ url: named }, own)).toMatchObject({ statusCode: 200 })
    expect(lookup).not.toHaveBeenCalled()
    const other = url.replace('127.0.0.1', 'shop.example')
    expect(await send({ url: other }, own)).toMatchObject({ error: 'address_refused' })
  })

  it('is passed over when it may not be reached, or cannot', async () => {
    const url = await receiver((_request, response) => response.end())
    const lookup = (): Promise<string[]> =>
      Promise.resolve(['10.0.0.1', '::1', '127.0.0.2', '127.0.0.1'])
    const named = url.replace('127.0.0.1', 'shop.example')
    expect(await send({ url: named }, { lookup })).toMatchObject({ statusCode: 200 })
  })

  it('is found by its name', async () => {
    const url = await receiver((_request, response) => response.end())
    expect(await send({ url: url.replace('127.0.0.1', 'localhost') })).toMatchObject({
      statusCode: 200,
    })
  })

  it.each([
    ['fails', () => Promise.reject(new Error('ENOTFOUND')), 'dns_failed'],
    ['finds nothing', () => Promise.resolve([]), 'dns_failed'],
    ['never ends', () => new Promise<never>(() => undefined), 'timeout'],
  ])('is missing when the look-up %s', async (_, lookup, error) => {
    const result = await send({ url: 'http://shop.example/' }, { lookup, timeoutMs: 100 })
    expect(result).toMatchObject({ error, responseExcerpt: '' })
  })
})

describe('a request', () => {
  it.each([
    ['a line break in a value', { 'webhook-id': '1\r\nX-Evil: 1' }],
    ['a line break in a name', { 'a\r\nX-Evil': '1' }],
    ['a character beyond Latin-1', { 'webhook-id': '\u2603' }],
  ])('with %s is not made', async (_, headers) => {
    const onConnection = vi.fn()
    const url = await listener(onConnection)
    expect(await send({ url, headers })).toMatchObject({ error: 'request_invalid' })
    expect(onConnection).not.toHaveBeenCalled()
  })

  it('takes no header from its URL', async () => {
    const got: Buffer[] = []
    const url = await listener((socket) => {
      socket.once('data', (chunk) => {
        got.push(chunk)
        socket.end('HTTP/1.1 200 OK\r\n\r\n')
      })
    })
    await send({ url: `${url}\r\nX-Evil: 1\r\n\r\n/%0d%0aX-Evil:2?\r\nX-Evil:3` })
    expect(got.toString()).toMatch(/^POST \S+ HTTP\/1.1\r\n/)
    expect(got.toString()).not.toMatch(/^X-Evil/m)
  })

  it.each(['', 'shop.example', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'http://'])(
    'to "%s" is not made',
    async (url) => {
      expect(await send({ url })).toMatchObject({ error: 'request_invalid', responseExcerpt: '' })
    },
  )
})

describe('a connection', () => {
  const sender = (lookup?: HttpSenderOptions['lookup']) => {
    const sending = createHttpSender({ version: '1.2.3', allowances, ...(lookup && { lookup }) })
    return (url: string) => sending.send({ url, headers: {}, body: BODY })
  }

  /** The port of a server on every address, and the target of each connection. */
  async function everywhere(answer: RequestListener) {
    const connections: (string | undefined)[] = []
    const closed = Promise.withResolvers<undefined>()
    const server = http.createServer(answer)
    server.on('connection', (socket: Socket) => {
      connections.push(socket.localAddress)
      socket.once('close', () => {
        closed.resolve(undefined)
      })
    })
    return { port: await listen(server, '0.0.0.0'), connections, closed: closed.promise }
  }

  it('is used again, and closed before long', async () => {
    const { port, connections, closed } = await everywhere((_request, response) => response.end())
    const send = sender()
    for (let i = 0; i < 3; i++)
      expect(await send(`http://127.0.0.1:${port}/n`)).toMatchObject({ statusCode: 200 })
    expect(connections).toEqual(['127.0.0.1'])
    await closed
  })

  it('is not used again for a name that leads elsewhere now', async () => {
    const { port, connections } = await everywhere((_request, response) => response.end())
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['10.0.0.1']]
    const send = sender(() => Promise.resolve(answers.shift() ?? []))
    const url = `http://shop.example:${port}/n`
    for (let i = 0; i < 3; i++) expect(await send(url)).toMatchObject({ statusCode: 200 })
    expect(connections).toEqual(['127.0.0.1', '127.0.0.2'])
    expect(await send(url)).toMatchObject({ error: 'address_refused' })
  })

  it('that was closed meanwhile is no failure: another is made', async () => {
    let requests = 0
    const { port, connections } = await everywhere((request, response) => {
      requests += 1
      if (requests === 2) request.socket.destroy()
      else response.end()
    })
    const send = sender()
    for (let i = 0; i < 2; i++)
      expect(await send(`http://127.0.0.1:${port}/n`)).toMatchObject({ statusCode: 200 })
    expect([requests, connections.length]).toEqual([3, 2])
  })

  it('whose answer breaks off is not asked twice', async () => {
    let requests = 0
    const { port } = await everywhere((request, response) => {
      requests += 1
      if (requests === 1) response.end()
      else response.write('half', () => setTimeout(() => request.socket.resetAndDestroy(), 50))
    })
    const send = sender()
    expect(await send(`http://127.0.0.1:${port}/n`)).toMatchObject({ statusCode: 200 })
    expect(await send(`http://127.0.0.1:${port}/n`)).toMatchObject({
      statusCode: 200,
      error: 'connection_failed',
    })
    expect(requests).toBe(2)
  })
})

describe('TLS', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const lookup = (): Promise<string[]> => Promise.resolve(['127.0.0.1'])

  async function tlsReceiver(cert: string): Promise<{ port: number; names: string[] }> {
    const names: string[] = []
    const server = https.createServer({ key, cert }, (_request, response) => response.end('safe'))
    server.on('secureConnection', (socket: tls.TLSSocket) => {
      names.push(String(socket.servername))
    })
    return { port: await listen(server), names }
  }

  it('keeps the name of the host, though the address is pinned', async () => {
    const cert = certificateFor('shop.example', privateKey, publicKey)
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, cert])
    onTestFinished(() => {
      tls.setDefaultCACertificates(trusted)
    })
    const { port, names } = await tlsReceiver(cert)
    const right = { url: `https://shop.example:${port}/n` }
    const wrong = { url: `https://other.example:${port}/n` }
    expect(await send(right, { lookup })).toMatchObject({
      statusCode: 200,
      responseExcerpt: 'safe',
    })
    expect(names).toContain('shop.example')
    expect(await send(wrong, { lookup })).toMatchObject({ error: 'tls_failed' })
    expect(await send({ url: `https://127.0.0.1:${port}/` })).toMatchObject({ error: 'tls_failed' })
  })

  it('is refused with an untrusted certificate, whatever the environment sets', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { port } = await tlsReceiver(certificateFor('shop.example', privateKey, publicKey))
    expect(await send({ url: `https://shop.example:${port}/` }, { lookup })).toMatchObject({
      error: 'tls_failed',
    })
  })

  it.each([
    ['something else', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['a reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('fails when the handshake is answered by %s', async (_, answer) => {
    const url = await listener((socket) => {
      socket.once('data', () => {
        answer(socket)
      })
    })
    expect(await send({ url: url.replace('http:', 'https:') })).toMatchObject({
      error: 'tls_failed',
    })
  })

  it('is aborted when the handshake hangs', async () => {
    const url = await listener(() => undefined)
    const result = await send({ url: url.replace('http:', 'https:') }, { timeoutMs: 150 })
    expect(result).toMatchObject({ error: 'timeout' })
  })

  it('is not mistaken for the cause when nothing listens', async () => {
    const server = net.createServer()
    const port = await listen(server)
    await new Promise((resolve) => server.close(resolve))
    expect(await send({ url: `https://127.0.0.1:${port}/` })).toMatchObject({
      error: 'connection_failed',
    })
  })
})

/** A self-signed X.509 certificate of one DNS name, valid in the 2020s and 2030s. */
function certificateFor(name: string, privateKey: KeyObject, publicKey: KeyObject): string {
  const der = (tag: number, ...parts: readonly (Buffer | string)[]): Buffer => {
    const content = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    )
    const { length } = content
    const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff]
    return Buffer.concat([Buffer.from([tag, ...size]), content])
  }
  const [SEQUENCE, SET, INTEGER, OID, UTF8, TIME, OCTETS, BITS] = [48, 49, 2, 6, 12, 23, 4, 3]
  const ecdsaWithSha256 = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex')))
  const commonName = der(SEQUENCE, der(OID, Buffer.from('550403', 'hex')), der(UTF8, name))
  const subject = der(SEQUENCE, der(SET, commonName))
  const altName = der(
    SEQUENCE,
    der(OID, Buffer.from('551d11', 'hex')),
    der(OCTETS, der(SEQUENCE, der(0x82, name))),
  )
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, '\x02')),
    der(INTEGER, '\x01'),
    ecdsaWithSha256,
    subject,
    der(SEQUENCE, der(TIME, '200101000000Z'), der(TIME, '391231235959Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, altName)),
  )
  const signature = der(BITS, '\x00', sign('sha256', body, privateKey))
  const certificate = der(SEQUENCE, body, ecdsaWithSha256, signature)
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`
}

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'a process without free file descriptors',
  () => {
    it.each(['127.0.0.1', 'localhost', 'receiver.example'])(
      'blames itself, not the receiver, and sends once it has some: %s',
      async (host) => {
        const { port } = new URL(await receiver((_, response) => response.end('ok')))
        const url = `http://${host}:${port}/n`
        const options = { timeoutMs: 2000 }
        await withoutDescriptors(async () => {
          await expect(send({ url }, options)).rejects.toMatchObject({ code: 'EMFILE' })
        })
        const result = await send({ url }, options)
        if (host === 'receiver.example') expect(result.error).toMatch(/dns_failed|timeout/)
        else expect(result.statusCode).toBe(200)
      },
    )
  },
)

/** Lowers this process's limit; another process, started before, raises it again. */
async function withoutDescriptors(work: () => Promise<void>): Promise<void> {
  const script = 'prlimit --pid $PPID --nofile=1: && echo; read _; prlimit --pid $PPID --nofile=$0:'
  const limit = execFileSync('prlimit', ['--pid', String(process.pid), '--nofile', '-o', 'SOFT'])
  const soft = /\d+/.exec(limit.toString())?.[0] ?? ''
  const limiter = spawn('sh', ['-c', script, soft], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = new Promise((resolve) => limiter.once('exit', resolve))
  await new Promise((resolve) => limiter.stdout.once('data', resolve))
  try {
    await work()
  } finally {
    limiter.stdin.end('\n')
    await exited
  }
}
