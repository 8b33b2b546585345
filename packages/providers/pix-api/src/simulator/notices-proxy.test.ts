// Tests deploy/nginx-notices.conf in front of a receiver of notices, with Debian's nginx if it is
// installed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { type IncomingMessage, createServer } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Credential, createAuthority } from '@cofre/provider-kit/simulator'
import { CHARGE, PIX_KEY, type TestBank, openTestBank, txidOf } from '../../test/simulated-bank.js'
import {
  createRepeatableBytes,
  temporaryFolder,
} from '../../../../provider-kit/test/simulator-parts.js'
import { needs } from '../../../../../test/needs.js'

const SNIPPET = fileURLToPath(new URL('../../../../../deploy/nginx-notices.conf', import.meta.url))
const NGINX = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx'
const SECRET = 'bm90LWEtc2VjcmV0'
const ADDRESS = `/notices/account-1/${SECRET}`
/** The host for acquirers' calls. */
const CARDS = 'cards.example.com'
const BODY_BYTES_MAX = 64 * 1024

describe('The proxy in front of notices', needs('nginx'), () => {
  let folder: string
  let remove: () => Promise<void>
  let bank: TestBank
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let proxy: Awaited<ReturnType<typeof openProxy>>
  beforeEach(async () => {
    ;({ folder, remove } = await temporaryFolder())
    bank = await openTestBank({ webhookHandshake: 'efi' })
    receiver = await openReceiver()
    proxy = await openProxy()
  })
  afterEach(async () => {
    await proxy.close()
    await receiver.close()
    await bank.close()
    await remove()
  })

  async function openProxy(change: (snippet: string) => string = (snippet) => snippet) {
    const { certificate, privateKey } = await bank.issue({
      name: 'Loja',
      role: 'server',
      hosts: ['localhost', 'neighbour.example', CARDS],
    })
    const port = await freePort()
    await writeFile(path.join(folder, 'server.pem'), certificate)
    await writeFile(path.join(folder, 'key.pem'), privateKey.reveal(), { mode: 0o600 })
    await writeFile(path.join(folder, 'authorities.pem'), bank.authority)
    const snippet = replaceAll(change(await readFile(SNIPPET, 'utf8')), {
      '443 ssl': `127.0.0.1:${port} ssl`,
      'pix.example.com': 'localhost',
      '/etc/ssl/cofre/pix-fullchain.pem': path.join(folder, 'server.pem'),
      '/etc/ssl/cofre/pix-privkey.pem': path.join(folder, 'key.pem'),
      '/etc/ssl/cofre/cards-fullchain.pem': path.join(folder, 'server.pem'),
      '/etc/ssl/cofre/cards-privkey.pem': path.join(folder, 'key.pem'),
      '/etc/ssl/cofre/bank-authorities.pem': path.join(folder, 'authorities.pem'),
      '/var/log/nginx/': `${folder}/`,
      '127.0.0.1:8087': `127.0.0.1:${receiver.port}`,
    })
    const config = path.join(folder, 'nginx.conf')
    await writeFile(config, nginxConfig({ folder, port, snippet }))
    const nginx = spawn(NGINX, ['-c', config, '-e', path.join(folder, 'start.log')])
    await isListening(port, nginx)
    return {
      port,
      url: `https://localhost:${port}${ADDRESS}`,
      async close() {
        nginx.kill()
        if (nginx.exitCode === null) await once(nginx, 'exit')
      },
    }
  }

  const readLogs = async () => {
    const logs = (await readdir(folder)).filter((name) => name.endsWith('.log'))
    const texts = logs.map((name) => readFile(path.join(folder, name), 'utf8'))
    return (await Promise.all(texts)).join('')
  }
  const register = () => bank.put(`/webhook/${PIX_KEY}`, { webhookUrl: proxy.url })
  const send = (options: Call = {}, body = '{}') =>
    exchange({ port: proxy.port, path: ADDRESS, ca: bank.authority, ...options }, body)
  const identityOf = ({ certificate, privateKey }: Credential) => ({
    cert: certificate,
    key: privateKey.reveal(),
  })
  const bankIdentity = async () =>
    identityOf(await bank.issue({ name: 'Cofre Pix bank', role: 'client' }))

  it('passes Efí’s two calls, and lets the bank’s notices through', async () => {
    expect((await register()).status).toBe(200)
    expect(receiver.received).toMatchObject([{ url: ADDRESS, body: { evento: 'teste_webhook' } }])
    await bank.put(`/cob/${txidOf(1)}`, CHARGE)
    const { endToEndId } = bank.bank.controls.pay(txidOf(1))
    await bank.bank.notices.settled()
    expect(receiver.received.at(-1)).toMatchObject({
      url: `${ADDRESS}/pix`,
      headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
      body: { pix: [{ endToEndId }] },
    })
  })

  it('fails Efí’s first call if the check is removed', async () => {
    await proxy.close()
    proxy = await openProxy((text) => replaceAll(text, { 'client      on': 'client off' }))
    expect((await register()).status).toBe(400)
  })

  it('refuses a client that no bank’s authority has signed, without a call to the receiver', async () => {
    const deps = { clock: bank.clock, randomBytes: createRepeatableBytes('stranger') }
    const stranger = await createAuthority(deps)
    const foreign = identityOf(await stranger.issue({ name: 'Cofre Pix bank', role: 'client' }))
    for (const options of [{}, foreign, { servername: '' }])
      expect((await send(options)).status).toBe(400)
    // A host name without client certificates gives no access to the one with them.
    expect((await send({ servername: 'neighbour.example' })).status).toBe(421)
    expect(receiver.received).toEqual([])
  })

  it('accepts at most 64 KiB, only at the addresses of notices', async () => {
    const identity = await bankIdentity()
    const body = JSON.stringify('a'.repeat(BODY_BYTES_MAX - 2))
    expect((await send(identity, body)).status).toBe(200)
    expect((await send(identity, `${body} `)).status).toBe(413)
    expect((await send({ ...identity, path: '/metrics' })).status).toBe(404)
    expect(receiver.received).toHaveLength(1)
  })

  it('lets acquirers through without a certificate, only to their own accounts', async () => {
    const acquirer = { servername: CARDS, headers: { Host: CARDS } }
    const address = `/notices/adyen-1a2b3c4d/${SECRET}`
    expect((await send({ ...acquirer, path: address })).status).toBe(200)
    expect(receiver.received).toMatchObject([
      { url: address, headers: { host: CARDS, 'x-forwarded-for': '127.0.0.1' } },
    ])
    for (const bank of [
      `/notices/efi-1a2b3c4d/${SECRET}/pix`,
      `/notices/adyen-1a2b3c4d/..%2Fefi-1a2b3c4d/${SECRET}`,
      ADDRESS,
      '/metrics',
    ])
      expect([bank, await send({ ...acquirer, path: bank })]).toEqual([bank, { status: 404 }])
    const large = 'a'.repeat(BODY_BYTES_MAX + 1)
    expect((await send({ ...acquirer, path: address }, large)).status).toBe(413)
    // The acquirers' host gives no access to the banks', either.
    expect((await send({ servername: CARDS })).status).toBe(421)
    expect(receiver.received).toHaveLength(1)
    expect(await readLogs()).not.toContain(SECRET)
  })

  it('writes no secret address into its logs, whatever a call’s result', async () => {
    const identity = await bankIdentity()
    await send()
    await send(identity)
    await send(identity, 'a'.repeat(BODY_BYTES_MAX + 1))
    await receiver.close()
    expect((await send(identity)).status).toBe(502)
    const lines = /POST 400 .* NONE .*POST 200 .* SUCCESS .*POST 413.*POST 502/s
    await expect.poll(readLogs).toMatch(lines)
    expect(await readLogs()).not.toContain(SECRET)
  })
})

async function openReceiver() {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      received.push({ url: request.url, headers: request.headers, body: JSON.parse(text) })
      response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      if (server.listening) await once(server.close(), 'close')
    },
  }
}

interface Received {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

interface Call extends RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
}

/** A call to the proxy, by default under its own name. */
async function exchange(options: Call, body: string) {
  const call = requestHttps({
    host: '127.0.0.1',
    servername: 'localhost',
    method: 'POST',
    agent: false,
    // The identity of the server's certificate does not matter here.
    checkServerIdentity: () => undefined,
    ...options,
    headers: {
      Host: 'localhost',
      ...options.headers,
      'Content-Length': String(Buffer.byteLength(body)),
    },
  })
  call.end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  await readBody(response)
  return { status: response.statusCode }
}

async function readBody(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function replaceAll(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((changed, [from, to]) => {
    expect(changed).toContain(from)
    return changed.replaceAll(from, to)
  }, text)
}

interface Proxied {
  readonly folder: string
  readonly port: number
  readonly snippet: string
}

/** One process, with another server on the same port that requires no certificate. */
function nginxConfig({ folder, port, snippet }: Proxied): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/other.log crit;
events {}
http {
access_log off;
${temporary}
server {
  listen 127.0.0.1:${port} ssl default_server;
  server_name neighbour.example;
  ssl_certificate ${folder}/server.pem;
  ssl_certificate_key ${folder}/key.pem;
  return 204;
}
${snippet}
}
`
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

async function isListening(port: number, nginx: ChildProcess): Promise<void> {
  await expect
    .poll(async () => {
      expect(nginx.exitCode).toBeNull()
      const socket = connect(port, '127.0.0.1')
      try {
        await once(socket, 'connect')
        return true
      } catch {
        return false
      } finally {
        socket.destroy()
      }
    })
    .toBe(true)
}
