import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestListener, type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { testPostgres } from '@cofre/sql/testing'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startCofre } from '../process/start.js'
import { type Role, readConfig } from '../config/config.js'
import { examine } from './examine.js'
import { freePort } from '../http/free-port.fixture.js'
import { needs } from '../../../../test/needs.js'

const API = await freePort()
const SANDBOX = await freePort()
const VAULT = await freePort()
const PANEL = await freePort()
const METRICS = await freePort()
const PORTS = {
  COFRE_API_PORT: String(API),
  COFRE_SANDBOX_PORT: String(SANDBOX),
  COFRE_VAULT_PORT: String(VAULT),
  COFRE_PANEL_PORT: String(PANEL),
}
const ROLES: readonly Role[] = ['api', 'sandbox', 'vault', 'panel', 'worker']
const KEY = `k:${Buffer.alloc(32).toString('base64url')}`
const local = (port: number): string => `http://127.0.0.1:${port}`

describe('The doctor', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-doctor-'))
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const configOf = (environ: Record<string, string> = {}) =>
    readConfig({ COFRE_DATA_DIR: dataDir, ...PORTS, ...environ }, 'serve')
  const look = async (environ: Record<string, string> = {}, roles = ROLES) => {
    const clock = { now: () => Date.now() }
    const findings = await examine({ config: () => configOf(environ), clock }, roles)
    return (subject: string) => findings.filter((finding) => finding.subject === subject)
  }
  const reported = async (subject: string, environ: Record<string, string> = {}, roles = ROLES) =>
    (await look(environ, roles))(subject).map(({ level, finding }) => `${level}: ${finding}`)

  describe('looks at the folder of files', () => {
    it('that exists, and names its owner', async () => {
      expect(await reported(`folder ${dataDir}`)).toEqual([
        expect.stringMatching(
          process.platform === 'win32' ? /^ok: / : /^ok: it belongs to .+ \(mode 700\), and .+/,
        ),
      ])
    })

    it('of the vault, which others may enter', needs('a system with file modes'), async () => {
      chmodSync(dataDir, 0o711)
      expect(await reported('files of keys and cards')).toEqual([
        `problem: ${dataDir} may be read, changed or entered by other users: its mode is 711`,
      ])
      expect(await reported('files of keys and cards', {}, ['api'])).toEqual([])
    })

    it('that is to be made', async () => {
      const folder = path.join(dataDir, 'a', 'b')
      expect(await reported(`folder ${folder}`, { COFRE_DATA_DIR: folder })).toEqual([
        `ok: does not exist yet: the first start creates it in ${dataDir}`,
      ])
    })

    it.each([['file'], ['file/data']])('that never can be made: %s', async (name) => {
      const file = path.join(dataDir, 'file')
      writeFileSync(file, '')
      const folder = path.join(dataDir, name)
      const of = await look({ COFRE_DATA_DIR: folder })
      expect(of(`folder ${folder}`)).toMatchObject([
        { level: 'problem', finding: `${file} is not a folder` },
      ])
      for (const subject of ['database production', 'database vault', 'vault keys', 'gateway key'])
        expect(of(subject).filter(({ level }) => level === 'ok')).toEqual([])
    })

    it('that is the system’s own', needs('Linux'), async () => {
      expect(await reported('folder /proc/x', { COFRE_DATA_DIR: '/proc/x' })).toEqual([
        expect.stringMatching(/^problem: .proc belongs to the system: /),
      ])
    })

    it(
      'that may not be written, or not even seen',
      needs('a system with file modes', 'a user other than root'),
      async () => {
        const folder = path.join(dataDir, 'other')
        mkdirSync(folder)
        for (const mode of [0o500, 0o000]) {
          chmodSync(folder, mode)
          const of = await look({ COFRE_DATA_DIR: folder })
          expect(of(`folder ${folder}`)).toMatchObject([{ level: 'problem' }])
          expect(of(`folder ${folder}`)[0]?.finding).toContain('may not be written by the user')
          expect(of('database production')).toMatchObject([{ level: 'problem' }])
          expect(of('vault keys').filter(({ level }) => level === 'ok')).toEqual([])
        }
        chmodSync(folder, 0o700)
      },
    )

    it('and not at the data directory where nothing is kept there', async () => {
      const elsewhere = {
        COFRE_DATA_DIR: '/proc/none',
        COFRE_DATABASE_URL: `sqlite:${path.join(dataDir, 'g.db')}`,
        COFRE_GATEWAY_KEY: KEY,
        COFRE_VAULT_SERVICE_URL: local(9),
        COFRE_VAULT_SERVICE_KEY: KEY,
      }
      const of = await look(elsewhere, ['api'])
      expect(of('folder /proc/none')).toEqual([])
      expect(of(`folder ${dataDir}`)).toMatchObject([{ level: 'ok' }])
    })
  })

  it('distinguishes a broken lock file from an unreachable database', async () => {
    await (await startCofre(configOf(), ['vault'], pino({ enabled: false }))).close()
    const lock = path.join(dataDir, 'vault.db.lock')
    writeFileSync(lock, Buffer.alloc(4096))
    const of = await look()
    expect(of(`lock ${lock}`)).toMatchObject([
      {
        level: 'problem',
        advice: expect.stringMatching('remove .+ while nothing serves') as string,
      },
    ])
    expect(of('database vault').map(({ level }) => level)).not.toContain('problem')
    expect(of('database vault').map(({ finding }) => finding)).toContain(
      'reachable, writable, up to date',
    )
  })

  describe('asks an address for what only its role serves', () => {
    const urls = {
      COFRE_PUBLIC_API_URL: local(API),
      COFRE_PUBLIC_SANDBOX_URL: local(SANDBOX),
      COFRE_PUBLIC_VAULT_URL: local(VAULT),
      COFRE_PUBLIC_PANEL_URL: local(PANEL),
    }

    it('and finds each, who serves the files, and one that is sent to another role', async () => {
      const running = await startCofre(configOf(urls), ROLES, pino({ enabled: false }))
      try {
        const of = await look(urls)
        expect(of('public URL of panel')).toMatchObject([{ level: 'ok' }])
        for (const role of ['api', 'sandbox', 'vault'])
          expect(of(`public URL of ${role}`)).toMatchObject([
            {
              level: 'warning',
              finding: expect.stringContaining('only be reached on this machine') as string,
            },
          ])
        for (const database of ['production', 'vault'])
          expect(of(`database ${database}`).map(({ finding }) => finding)).toContain(
            `served by process ${process.pid} now`,
          )
        const crossed = {
          COFRE_PUBLIC_API_URL: local(SANDBOX),
          COFRE_PUBLIC_SANDBOX_URL: local(VAULT),
          COFRE_PUBLIC_VAULT_URL: local(PANEL),
          COFRE_PUBLIC_PANEL_URL: local(API),
        }
        const found = await look(crossed)
        for (const [role, what] of [
          ['sandbox', '/openapi.json is status 404'],
          ['vault', '/payment.cofre.min.js is status 303'],
          ['panel', '/assets/panel.js is status'],
        ] as const) {
          const [finding] = found(`public URL of ${role}`)
          expect(finding?.level).toBe('problem')
          expect(finding?.finding).toContain(`answers, but not as the role ${role}: ${what}`)
        }
      } finally {
        await running.close()
      }
    })

    const answering = async (listener: RequestListener, check: () => Promise<void>) => {
      const server: Server = createServer(listener)
      await new Promise<void>((resolve) => server.listen(API, '127.0.0.1', resolve))
      try {
        await check()
      } finally {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    }

    it('and takes a proxy’s 502, or a page, for no API', async () => {
      const subject = 'public URL of api'
      await answering(
        (_, response) => response.writeHead(502).end('Bad gateway'),
        async () => {
          expect(await reported(subject)).toEqual([
            `warning: ${local(API)} answers, but not as the role api: /openapi.json is status 502`,
          ])
        },
      )
      await answering(
        (_, response) => response.end('<h1>Welcome</h1>'),
        async () => {
          expect(await reported(subject)).toEqual([
            `problem: ${local(API)} answers, but not as the role api: /openapi.json is it is not the document of an API`,
          ])
        },
      )
      const document = JSON.stringify({ servers: [{ url: local(SANDBOX) }] })
      await answering(
        (_, response) => response.end(document),
        async () => {
          expect((await reported(subject))[0]).toContain(`is that of the API at ${local(SANDBOX)}`)
        },
      )
    })
  })

  it('names the writable one of several database servers, and reports two writable ones', async () => {
    const url = await testPostgres()
    const { host, port } = new URL(url)
    const reportedAt = async (hosts: string) =>
      await reported('database vault', {
        COFRE_VAULT_DATABASE_URL: url.replace(host, hosts),
      })
    const findings = await reportedAt(`nowhere.invalid,${host}`)
    expect(findings).toContainEqual(
      expect.stringMatching(
        `^warning: nowhere.invalid is not reached \\(.+\\), ${host} is a primary$`,
      ),
    )
    expect(findings).toContainEqual(
      expect.stringContaining('warning: a commit does not wait for a standby'),
    )
    expect(await reportedAt(`${host},localhost:${port}`)).toContain(
      `problem: ${host} is a primary, localhost:${port} is a primary`,
    )
  })

  it('warns of a proxy that is not named', async () => {
    const secure = { COFRE_PUBLIC_VAULT_URL: 'https://vault.invalid' }
    expect(await reported('proxies', secure, ['vault'])).toEqual([
      expect.stringMatching(/^warning: https:..vault.invalid is https.+COFRE_TRUSTED_PROXIES/),
    ])
    const named = { ...secure, COFRE_TRUSTED_PROXIES: '10.0.0.0/8' }
    expect(await reported('proxies', named, ['vault'])).toEqual([])
    expect(await reported('proxies', secure, ['api', 'worker'])).toEqual([])
    expect(await reported('proxies')).toEqual([])
  })

  it('finds two roles on one port', async () => {
    const shared = { COFRE_SANDBOX_PORT: String(API), COFRE_METRICS_PORT: String(METRICS) }
    const problems = async (environ: Record<string, string>, roles = ROLES) =>
      (await reported('configuration', environ, roles)).filter((text) => text.startsWith('problem'))
    expect(await problems(shared)).toEqual([
      `problem: COFRE_API_PORT and COFRE_SANDBOX_PORT are the same port, ${API}`,
    ])
    const service = {
      COFRE_VAULT_SERVICE_KEY: KEY,
      COFRE_VAULT_SERVICE_PORT: String(METRICS),
      COFRE_METRICS_PORT: String(METRICS),
    }
    expect(await problems(service, ['vault'])).toEqual([
      `problem: COFRE_METRICS_PORT and COFRE_VAULT_SERVICE_PORT are the same port, ${METRICS}`,
    ])
    // The role in another installation may have another port.
    expect(await problems(shared, ['vault', 'sandbox'])).toEqual([])
  })

  it('warns of a vault that answers no gateway', async () => {
    const alone = await reported('configuration', {}, ['vault'])
    expect(alone).toContain(
      'warning: the vault runs alone without COFRE_VAULT_SERVICE_KEY, so it answers no gateway',
    )
    expect(await reported('configuration')).toHaveLength(1)
    expect(
      await reported('configuration', { COFRE_VAULT_SERVICE_KEY: KEY }, ['vault']),
    ).toHaveLength(1)
  })
})
