import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { OPERATIONS } from '../../../gateway/src/api/openapi/openapi-document.js'
import { type CommandContext, UsageError } from '../commands/line/command.js'
import { readConfig } from '../config/config.js'
import type { Trial } from '../config/trial.js'
import { examine } from '../doctor/examine.js'
import { freePorts } from '../http/free-port.fixture.js'
import { DATABASES } from '../installation/databases.js'
import { openGatewayKeys } from '../installation/keys.js'
import { copyMigrated } from '../installation/migrated.fixture.js'
import { openStores } from '@cofre/gateway/upkeep'
import { devStore } from '../installation/test-store.js'
import { runProgram } from '../main.js'
import { testAccount } from '../process/providers/account.fixture.js'
import { type RunningCofre, startCofre } from '../process/start.js'
import { type TestCertificate, makeCertificate } from '../../../provider-kit/test/certificates.js'
import { readTrial } from './trial-options.js'

const PORTS = await freePorts(
  ...(['API', 'SANDBOX', 'VAULT', 'PANEL', 'DEMO', 'DEMO_PRODUCTION', 'NOTICES'] as const),
  ...(['SIMULATOR', 'ADYEN', 'CIELO', 'INTER'] as const),
)
const PASSWORD = 'correct horse battery'
const TRIAL: Trial = {
  host: '127.0.0.1',
  address: '127.0.0.1',
  password: new Secret(PASSWORD),
  isDrawn: false,
  certificate: undefined,
}
const ROLES = ['vault', 'api', 'sandbox', 'panel', 'demo'] as const
const QUIET = pino({ enabled: false })
const HTML = { Accept: 'text/html', 'Accept-Language': 'en' }

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'cofre-trial-'))
  copyMigrated(folder)
  return folder
}

const configIn = (dataDir: string, mode: 'dev' | 'serve' = 'dev', trial?: Trial) =>
  readConfig({ COFRE_DATA_DIR: dataDir, ...PORTS }, mode, trial)

const serveIn = async (dataDir: string) => {
  const running = await startCofre(configIn(dataDir, 'serve'), ['vault', 'api'], QUIET)
  await running.close()
}

function cofre(dataDir: string, ...args: readonly string[]): Promise<string> {
  return cofreOf((mode) => configIn(dataDir, mode), ...args)
}

/** Resolves to the command's output. */
async function cofreOf(config: CommandContext['config'], ...args: string[]): Promise<string> {
  let output = ''
  await runProgram(args, {
    clock: Date,
    config,
    print: (text) => (output += text),
    warn: () => undefined,
    fail: () => undefined,
    input: () => Promise.resolve('{}'),
  })
  return output
}

describe('A trial', () => {
  const folder = newFolder()
  let running: RunningCofre
  beforeAll(async () => {
    running = await startCofre(configIn(folder, 'dev', TRIAL), ROLES, QUIET)
  })
  afterAll(async () => {
    await running.close()
    rmSync(folder, { recursive: true })
  })

  const at = (name: keyof typeof PORTS, place = '/') => `http://127.0.0.1:${PORTS[name]}${place}`
  const enter = (password: string, to = '/', port: keyof typeof PORTS = 'COFRE_DEMO_PORT') =>
    fetch(at(port, '/trial-password'), {
      method: 'POST',
      headers: HTML,
      redirect: 'manual',
      body: new URLSearchParams({ password, to }),
    })

  it.each(Object.keys(PORTS).filter((name) => name !== 'COFRE_NOTICES_PORT'))(
    'asks for its password before it shows a page at %s, and shows none to a program',
    async (name) => {
      const page = await fetch(at(name as keyof typeof PORTS), { headers: HTML })
      expect(page.status).toBe(401)
      expect(await page.text()).toContain('This trial asks for a password.')
      const program = await fetch(at(name as keyof typeof PORTS))
      expect([program.status, program.headers.get('content-type')]).toEqual([
        401,
        'text/plain; charset=UTF-8',
      ])
    },
  )

  it.each([
    ['COFRE_API_PORT', '/pay/anything'],
    ['COFRE_API_PORT', '/b/anything'],
    ['COFRE_SANDBOX_PORT', '/docs'],
    ['COFRE_SANDBOX_PORT', '/transactions/../docs'],
    ['COFRE_SANDBOX_PORT', '/cards'],
    ['COFRE_PANEL_PORT', '/inbox'],
    ['COFRE_VAULT_PORT', '//'],
  ] as const)('asks at %s%s, too', async (port, place) => {
    expect((await fetch(at(port, place), { headers: HTML })).status).toBe(401)
  })

  it.each(OPERATIONS.map(({ method, path: place }) => [method, place] as const))(
    'leaves %s %s to its signature',
    async (method, place) => {
      const address = at('COFRE_SANDBOX_PORT', place.replaceAll(/\{\w+\}/g, '1'))
      expect(await (await fetch(address, { method })).json()).toHaveProperty('errors')
    },
  )

  it('leaves to signatures and origins what shops’ servers and pages ask for', async () => {
    const search = await fetch(at('COFRE_SANDBOX_PORT', '/transactions'))
    expect(await search.json()).toMatchObject({ errors: [{ code: 10001 }] })
    expect((await fetch(at('COFRE_VAULT_PORT', '/integrity.json'))).status).toBe(200)
    const session = await fetch(at('COFRE_VAULT_PORT', '/sessions'), { method: 'POST' })
    expect(session.status).toBe(201)
    const notified = await fetch(at('COFRE_DEMO_PORT', '/notifications'), { method: 'POST' })
    expect(notified.status).not.toBe(401)
  })

  it('lets in who knows the password, at every port, and leads back to the page', async () => {
    const answer = await enter(PASSWORD, '//elsewhere.example/cart?a=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/cart?a=1'])
    const [cookie = ''] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^cofre_trial=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/i)
    const [proof = ''] = cookie.split(';')
    const inside = { ...HTML, Cookie: proof }
    const shown = [
      [at('COFRE_DEMO_PORT'), 'Trial: simulated banks, no real money'],
      [at('COFRE_PANEL_PORT', '/sign-in/sandbox'), 'Trial: simulated banks, no real money'],
      [at('COFRE_VAULT_PORT'), 'Trial: simulated banks, no real money'],
      [at('COFRE_SANDBOX_PORT', '/docs'), 'Trial: simulated banks, no real money'],
    ] as const
    for (const [url, banner] of shown) {
      const page = await fetch(url, { headers: inside })
      expect(page.status).toBe(200)
      expect(await page.text()).toContain(banner)
    }
    const portuguese = await fetch(at('COFRE_DEMO_PORT'), {
      headers: { ...inside, 'Accept-Language': 'pt-BR' },
    })
    expect(portuguese.headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-/)
    expect(await portuguese.text()).toContain('Demonstração: bancos simulados')
    const atVault = await enter(PASSWORD, '/', 'COFRE_VAULT_PORT')
    expect(atVault.status).toBe(303)
    const forged = { ...HTML, Cookie: proof.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')) }
    expect((await fetch(at('COFRE_DEMO_PORT'), { headers: forged })).status).toBe(401)
  })

  it('is no problem for the doctor, which is also asked for the password', async () => {
    const found = await examine({ config: (mode) => configIn(folder, mode), clock: Date }, ROLES)
    const urls = found.filter(({ subject }) => subject.startsWith('public URL of'))
    expect(urls.filter(({ level }) => level === 'problem')).toEqual([])
    expect(urls.filter(({ finding }) => finding.includes('is a trial'))).toHaveLength(3)
  })

  it('takes five wrong passwords of an address, as the console does, and then has it wait', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await enter('wrong')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await enter(PASSWORD)).status).toBe(429)
  })
})

describe('The databases of a trial', () => {
  const tried = async () => {
    const folder = newFolder()
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    const running = await startCofre(configIn(folder, 'dev', TRIAL), ROLES, QUIET)
    await running.close()
    return folder
  }

  it('are never served for real, nor copies of them, nor take an account at a provider', async () => {
    const folder = await tried()
    await expect(serveIn(folder)).rejects.toThrow(
      'COFRE_VAULT_DATABASE_URL names was served as a trial',
    )
    const copy = path.join(folder, 'copy')
    await cofre(folder, 'backup', copy)
    // The gateway's databases alone are refused too.
    copyMigrated(copy, ['vault'])
    chmodSync(copy, 0o700)
    await expect(serveIn(copy)).rejects.toThrow('COFRE_DATABASE_URL names was served as a trial')
    const { id } = devStore(configIn(folder))
    for (const provider of ['inter', 'cielo'])
      await expect(
        cofre(folder, 'account', 'add', '--store', id, '--provider', provider, '--from', '-'),
      ).rejects.toThrow(/served as a trial/)
  })

  it.each([
    ['vault.db', 'cielo'],
    ['gateway.db', 'inter'],
  ])('refuse one also where %s is gone, and another of them is marked', async (gone, provider) => {
    const folder = await tried()
    for (const end of ['', '-wal', '-shm']) rmSync(path.join(folder, gone + end), { force: true })
    const { id } = devStore(configIn(folder))
    await expect(
      cofre(folder, 'account', 'add', '--store', id, '--provider', provider, '--from', '-'),
    ).rejects.toThrow(/served as a trial/)
    expect(existsSync(path.join(folder, gone))).toBe(false)
  })

  it('are found by the doctor, each once, and by who makes a store in them', async () => {
    const folder = await tried()
    const found = await examine({ config: (mode) => configIn(folder, mode), clock: Date }, ROLES)
    const marked = found.filter(({ finding }) => finding.includes('served as a trial'))
    expect(marked.map(({ subject }) => subject).toSorted()).toEqual([
      'database production',
      'database sandbox',
      'database vault',
    ])
    expect(await cofre(folder, 'store', 'create', 'loja')).toContain('It is a trial’s')
  })

  it('are marked all or not at all: real money or stores of one’s own keep them as they are', async () => {
    const folder = newFolder()
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    const config = configIn(folder)
    const keys = await openGatewayKeys(config)
    const store = { ...devStore(config), id: 'loja' }
    await DATABASES.production.use(config, async (database) => {
      const opened = openStores({ environment: 'production', database, keys, clock: Date })
      await opened.stores.create(store, 'start')
    })
    const start = () => startCofre(configIn(folder, 'dev', TRIAL), ROLES, QUIET)
    await expect(start()).rejects.toThrow(/stores of yours.*store loja/)
    await DATABASES.sandbox.use(config, async (database) => {
      const opened = openStores({ environment: 'sandbox', database, keys, clock: Date })
      const account = testAccount({ merchantId: 'loja', kind: 'test' })
      await opened.stores.create(store, 'start')
      await opened.accounts.create(account, ['pix'], 'start')
    })
    await expect(start()).rejects.toThrow(/simulated banks alone.*account account-1/)
    await serveIn(folder)
  })
})

describe('A start with simulated providers', () => {
  it('refuses a live account, whose payments would be real', async () => {
    const folder = newFolder()
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    const config = configIn(folder)
    const keys = await openGatewayKeys(config)
    await DATABASES.production.use(config, async (database) => {
      const opened = openStores({ environment: 'production', database, keys, clock: Date })
      const account = testAccount({ merchantId: 'loja', kind: 'live' })
      await opened.stores.create({ ...devStore(config), id: 'loja' }, 'start')
      await opened.accounts.create(account, ['pix'], 'start')
    })
    await expect(startCofre(config, ROLES, QUIET)).rejects.toThrow(
      /COFRE_DATABASE_URL names has a live account.*account account-1/,
    )
  })
})

describe('A trial that cannot listen', () => {
  it.each([
    [
      'its address is not of this machine',
      { ...TRIAL, address: '192.0.2.1', host: 'trial.example' },
      /^--host trial\.example is not an address of this machine/,
    ],
    ['a port is in use', TRIAL, /is in use.*COFRE_INTER_PORT/],
  ])('reports that %s, and marks nothing', async (_, trial, why) => {
    const folder = newFolder()
    const other = createServer().listen(Number(PORTS.COFRE_INTER_PORT), '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => {
      other.close()
      rmSync(folder, { recursive: true })
    })
    const start = startCofre(configIn(folder, 'dev', trial), ROLES, QUIET)
    await expect(start).rejects.toThrow(why)
    await serveIn(folder)
  })
})

describe('The options of a trial', () => {
  const file = (text: string, mode = 0o600): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'cofre-trial-'))
    onTestFinished(() => {
      rmSync(folder, { recursive: true })
    })
    writeFileSync(path.join(folder, 'file'), text, { mode })
    return path.join(folder, 'file')
  }

  it('draw a password where none is given', async () => {
    const [one, other] = [await readTrial({ host: '127.0.0.1' }), await readTrial({ host: '::1' })]
    expect(one).toMatchObject({ host: '127.0.0.1', address: '127.0.0.1', isDrawn: true })
    expect(one?.password.reveal()).toHaveLength(20)
    expect(one?.password.reveal()).not.toBe(other?.password.reveal())
    const given = await readTrial({ host: '127.0.0.1', passwordFile: file(`${PASSWORD}\n`) })
    expect(given?.password.reveal()).toBe(PASSWORD)
    expect(await readTrial({})).toBeUndefined()
  })

  it('are refused where they are of no use', async () => {
    const host = '127.0.0.1'
    const refused = [
      [{ host: '0.0.0.0' }, 'leads others nowhere'],
      [{ host: '0' }, 'leads others nowhere'],
      [{ host: 'no such host' }, 'is not found'],
      ...['short', 'x'.repeat(201), 'one line\nand another', 'a bell \u0007 in it'].map(
        (text) => [{ host, passwordFile: file(text) }, '12 to 200 characters'] as const,
      ),
      [{ host, passwordFile: file(PASSWORD, 0o644) }, 'others may read'],
      [{ host, certificate: file('no certificate') }, 'a chain of certificates and its key'],
    ] as const
    for (const [options, why] of refused) await expect(readTrial(options)).rejects.toThrow(why)
  })

  it('are refused with a certificate that browsers would refuse, in a sentence', async () => {
    const made = (name: string, validTo?: Date) => {
      const dated = validTo && { validTo, validFrom: new Date(0) }
      return makeCertificate({ name, kind: 'server', dnsNames: [name], ...dated })
    }
    const [own, other] = [made('trial.test'), made('localhost')]
    const read = ({ certificatePem, keyPem }: TestCertificate) =>
      readTrial({ host: 'localhost', certificate: file(certificatePem + keyPem) })
    await expect(read({ ...own, keyPem: '' })).rejects.toThrow('it has no key')
    await expect(read({ ...own, certificatePem: '' })).rejects.toThrow('it has no certificate')
    await expect(read({ ...own, keyPem: other.keyPem })).rejects.toThrow('its key is another')
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
    const chain = read({ ...other, certificatePem: other.certificatePem + broken })
    await expect(chain).rejects.toThrow('its chain cannot be read')
    await expect(read(own)).rejects.toThrow(
      'it is for DNS:trial.test, and browsers ask for localhost',
    )
    await expect(read(made('localhost', new Date('2025-02-01')))).rejects.toThrow(
      'it ended on 2025-02-01',
    )
    await expect(read(other)).rejects.toThrow(
      /this machine does not trust it \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/,
    )
    const known = getCACertificates()
    onTestFinished(() => {
      setDefaultCACertificates(known)
    })
    setDefaultCACertificates([...known, other.certificatePem])
    expect((await read(other))?.certificate?.reveal()).toContain('CERTIFICATE')
  })

  it.each([
    [['--host', ''], /--host is empty/],
    [['--host='], /--host is empty/],
    [['--password-file', 'x'], /add --host/],
    [['--certificate', 'x'], /add --host/],
  ])('%j is a mistaken command line', async (options, why) => {
    const command = cofre('/nowhere', 'dev', ...options)
    await expect(command).rejects.toThrow(UsageError)
    await expect(command).rejects.toThrow(why)
  })

  it('are how dev is opened to others, and not COFRE_HOST', async () => {
    const environ = { COFRE_DATA_DIR: '/nowhere', COFRE_HOST: '192.0.2.2' }
    const start = cofreOf((mode) => readConfig(environ, mode), 'dev')
    await expect(start).rejects.toThrow(/COFRE_HOST=192\.0\.2\.2 .*cofre dev --host/)
  })

  it('are refused if the name leads only to this machine, unless COFRE_HOST names another address', async () => {
    // A name that every machine reads as 127.0.0.1.
    const host = '0x7f000001'
    const start = (environ: Record<string, string>) =>
      cofreOf(
        (mode, trial) => readConfig({ COFRE_DATA_DIR: '/dev/null/x', ...environ }, mode, trial),
        ...['dev', '--host', host],
      )
    await expect(start({})).rejects.toThrow(
      `--host ${host} resolves to 127.0.0.1 on this machine, which others cannot reach`,
    )
    await expect(start({ COFRE_HOST: '0.0.0.0' })).rejects.not.toThrow('resolves to')
  })

  it('lead everything that others open to the host, by https with a certificate', () => {
    const certificate = new Secret('PEM')
    const trial = { ...TRIAL, host: 'trial.example', address: '192.0.2.7', certificate }
    const { endpoints, inboxOrigin } = configIn('/nowhere', 'dev', trial)
    const { metrics, notices, operator, ...shown } = endpoints
    for (const { host, publicUrl, port } of Object.values(shown))
      expect([host, publicUrl]).toEqual(['192.0.2.7', `https://trial.example:${port}`])
    for (const { host } of [metrics, notices, operator]) expect(host).toBe('127.0.0.1')
    expect(inboxOrigin).toBe(endpoints.panel.publicUrl)
  })
})
