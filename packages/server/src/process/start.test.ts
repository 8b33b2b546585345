import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import type { Merchant } from '@cofre/gateway'
import { SmartRouter } from 'hono/router/smart-router'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startCofre } from './start.js'
import { type Role, readConfig } from '../config/config.js'
import { DATABASES } from '../installation/databases.js'
import { openGatewayKeys } from '../installation/keys.js'
import { type OpenedStores, openStores } from '@cofre/gateway/upkeep'
import { captureRawCard, createTestStore } from './purchase.fixture.js'
import { testAccount } from './providers/account.fixture.js'
import { freePort } from '../http/free-port.fixture.js'
import { copyMigrated } from '../installation/migrated.fixture.js'
import { needs } from '../../../../test/needs.js'

const KEY = `k1:${randomBytes(32).toString('base64url')}`
const API_PORT = await freePort()
const SANDBOX_PORT = await freePort()
const VAULT_PORT = await freePort()
const SERVICE_PORT = await freePort()
const METRICS_PORT = await freePort()
const PANEL_PORT = await freePort()
const NOTICES_PORT = await freePort()
const STORE: Merchant = {
  id: 'loja',
  name: 'Loja',
  secret: new Secret('a secret of the store'),
  enabled: true,
  mayUseRawCards: false,
  refunds: 'none',
  rules: 'specification',
  refusesCardReferences: false,
  fieldOrigins: [],
  showsBin: false,
}

/** Resolves to the cookies of a browser signed in to the panel as the store. */
async function signInAt(panelUrl: string): Promise<string> {
  const page = await fetch(`${panelUrl}/sign-in/sandbox`)
  const csrf = /name="csrf" value="([^"]*)"/.exec(await page.text())?.[1] ?? ''
  const cookies = ({ headers }: Response) =>
    headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''))
  const answer = await fetch(`${panelUrl}/sign-in/sandbox`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookies(page).join('; '), origin: panelUrl },
    body: new URLSearchParams({ csrf, 'store-id': STORE.id, secret: STORE.secret.reveal() }),
  })
  return [...cookies(page), ...cookies(answer)].join('; ')
}

describe('startCofre', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-compose-'))
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const start = (
    roles: Role[],
    environ: Record<string, string> = {},
    log = pino({ enabled: false }),
  ) =>
    startCofre(
      readConfig(
        {
          COFRE_DATA_DIR: dataDir,
          COFRE_API_PORT: String(API_PORT),
          COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
          COFRE_VAULT_PORT: String(VAULT_PORT),
          COFRE_VAULT_SERVICE_PORT: String(SERVICE_PORT),
          ...environ,
        },
        'serve',
      ),
      roles,
      log,
    )
  const files = (): string[] =>
    readdirSync(dataDir).filter((name) => !/-(wal|shm)$|[.]lock$/.test(name))
  const statusAt = async (port: number): Promise<number | undefined> => {
    const post = fetch(`http://127.0.0.1:${port}/v1/ping`, { method: 'POST' })
    return await post.then(
      ({ status }) => status,
      () => undefined,
    )
  }

  it('rewraps secrets of stores and accounts under the current gateway key, and logs their count', async () => {
    const [older, next] = ['old', 'new'].map(
      (id) => `${id}:${randomBytes(32).toString('base64url')}`,
    )
    copyMigrated(dataDir)
    const config = readConfig({ COFRE_DATA_DIR: dataDir, COFRE_GATEWAY_KEY: older ?? '' }, 'dev')
    const keys = await openGatewayKeys(config)
    await DATABASES.production.use(config, async (database) => {
      const opened = openStores({ environment: 'production', database, keys, clock: Date })
      const account = testAccount({ merchantId: STORE.id })
      await opened.stores.create(STORE, 'start')
      await opened.accounts.create(account, ['pix'], 'start')
    })
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => lines.push(line) })
    const environ = { COFRE_GATEWAY_KEY: `${next ?? ''},${older ?? ''}` }
    await (await start(['vault', 'api'], environ, log)).close()
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({
        environment: 'production',
        secrets: 2,
        msg: 'secrets of stores and accounts were wrapped',
      }),
    )
  })

  it.each<Role>(['api', 'sandbox', 'panel', 'worker'])(
    'opens no vault in a process with the role %s alone, and wants to know where it is',
    async (role) => {
      await expect(start([role])).rejects.toThrow(/^COFRE_VAULT_SERVICE_URL is not set: /)
      expect(files()).toEqual([])
    },
  )

  it('keeps a gateway whose vault is elsewhere free of the vault’s files', async () => {
    const url = `http://127.0.0.1:${SERVICE_PORT}`
    const environ = { COFRE_VAULT_SERVICE_URL: url, COFRE_VAULT_SERVICE_KEY: KEY }
    const running = await start(['api', 'sandbox', 'worker'], environ)
    expect(files()).toEqual(['gateway-bank.db', 'gateway-keys', 'gateway-sandbox.db', 'gateway.db'])
    expect(await statusAt(VAULT_PORT)).toBeUndefined()
    await running.close()
  })

  it('finds the routes of the APIs and of the vault by one regular expression, which is quick', async () => {
    copyMigrated(dataDir)
    const running = await start(['vault', 'api', 'sandbox'], { COFRE_VAULT_SERVICE_KEY: KEY })
    // The router chooses an implementation at its first request.
    const match = vi.spyOn(SmartRouter.prototype, 'match')
    const ports = [API_PORT, SANDBOX_PORT, VAULT_PORT, SERVICE_PORT]
    for (const port of ports) await statusAt(port)
    const routers = (match.mock.contexts as SmartRouter<unknown>[]).map(({ name }) => name)
    match.mockRestore()
    await running.close()
    expect(routers).toEqual(ports.map(() => 'SmartRouter + RegExpRouter'))
  })

  it('opens nothing of production in a process that is the sandbox’s alone', async () => {
    const running = await start(['vault', 'sandbox', 'panel', 'worker'], {
      COFRE_WORKER_ENVIRONMENTS: 'sandbox',
      COFRE_PANEL_PORT: String(PANEL_PORT),
    })
    await running.close()
    expect(files()).toEqual([
      'gateway-bank.db',
      'gateway-keys',
      'gateway-sandbox.db',
      'vault-keys',
      'vault.db',
    ])
  })

  it('keeps who is signed in to the panel, until an operator replaces the store’s secret', async () => {
    copyMigrated(dataDir)
    const panelUrl = `http://127.0.0.1:${PANEL_PORT}`
    const roles: Role[] = ['vault', 'sandbox', 'panel']
    const begin = () =>
      start(roles, { COFRE_PANEL_PORT: String(PANEL_PORT), COFRE_PANEL_URL: panelUrl })
    const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'serve')
    const keys = await openGatewayKeys(config)
    const withStores = (work: (stores: OpenedStores['stores']) => Promise<unknown>) =>
      DATABASES.sandbox.use(config, (database) =>
        work(openStores({ environment: 'sandbox', database, keys, clock: Date }).stores),
      )
    await withStores((stores) => stores.create(STORE, 'start'))
    const running = await begin()
    const cookie = await signInAt(panelUrl)
    const clock = () =>
      fetch(`${panelUrl}/sandbox/${STORE.id}/clock`, { headers: { cookie }, redirect: 'manual' })
    expect((await clock()).status).toBe(200)
    await running.close()

    const restarted = await begin()
    expect((await clock()).status).toBe(200)
    // On another connection, like the command's.
    await withStores((stores) =>
      stores.rotateSecret(STORE.id, new Secret('another'), {
        previousUntilMs: 0,
        actor: 'operator:ana',
      }),
    )
    expect((await clock()).status).toBe(303)
    await restarted.close()
  })

  it('works only for production if configured, and stays ready without the sandbox', async () => {
    copyMigrated(dataDir)
    const running = await start(['vault', 'api', 'worker'], {
      COFRE_WORKER_ENVIRONMENTS: 'production',
      COFRE_METRICS_PORT: String(METRICS_PORT),
    })
    const at = `http://127.0.0.1:${METRICS_PORT}`
    const { checks } = (await (await fetch(`${at}/readyz`)).json()) as { checks: object }
    expect(Object.keys(checks).filter((name) => /sandbox|bank/.test(name))).toEqual([])
    expect(checks).toMatchObject({ 'database production': 'ok', 'worker production': 'ok' })
    const metrics = await (await fetch(`${at}/metrics`)).text()
    expect(metrics).toContain('cofre_worker_last_round_age_seconds{environment="production"}')
    expect(metrics).not.toMatch(/cofre_(worker|outbox)_\w+\{environment="sandbox"/)
    expect(await statusAt(SANDBOX_PORT)).toBeUndefined()
    await running.close()
  })

  it('keeps a vault free of the gateway’s, and answers gateways only with a key and apart from browsers', async () => {
    const without = await start(['vault'])
    expect(files()).toEqual(['vault-keys', 'vault.db'])
    expect(await statusAt(SERVICE_PORT)).toBeUndefined()
    await without.close()

    const running = await start(['vault'], { COFRE_VAULT_SERVICE_KEY: KEY })
    expect(await statusAt(SERVICE_PORT)).toBe(401)
    expect(await statusAt(VAULT_PORT)).toBe(404)
    await running.close()
  })

  it('serves the notices of a vault alone without opening a gateway’s databases', async () => {
    const running = await start(['vault', 'notices', 'metrics'], {
      COFRE_VAULT_SERVICE_KEY: KEY,
      COFRE_NOTICES_PORT: String(NOTICES_PORT),
      COFRE_METRICS_PORT: String(METRICS_PORT),
    })
    expect(files()).toEqual(['vault-keys', 'vault.db'])
    expect(await statusAt(NOTICES_PORT)).toBe(404)
    const { checks } = (await (await fetch(`http://127.0.0.1:${METRICS_PORT}/readyz`)).json()) as {
      checks: object
    }
    expect(checks).toEqual({
      process: 'ok',
      'database vault': 'ok',
      'vault keys': 'ok',
      'vault job': 'ok',
    })
    const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text()
    for (const line of [
      'cofre_card_refunds_overdue{environment="production"} 0',
      'cofre_card_changes_oldest_age_seconds{environment="sandbox"} 0',
      'cofre_card_oldest_kept_age_seconds{waits_for="outcome"} 0',
      'cofre_vault_job_last_round_age_seconds{job="card charges"}',
    ])
      expect(metrics).toContain(line)
    await running.close()
  })

  // Other systems have only one loopback address.
  it(
    'answers operators and gateways at the addresses that they are given, and at no other',
    needs('Linux'),
    async () => {
      const running = await start(['vault'], {
        COFRE_VAULT_SERVICE_KEY: KEY,
        COFRE_VAULT_SERVICE_HOST: '127.0.0.2',
        COFRE_METRICS_HOST: '127.0.0.3',
        COFRE_METRICS_PORT: String(METRICS_PORT),
      })
      const answering = async (host: string) => {
        const asked = [VAULT_PORT, SERVICE_PORT, METRICS_PORT].map(async (port) =>
          (await fetch(`http://${host}:${port}/`).catch(() => undefined)) === undefined
            ? []
            : [port],
        )
        return (await Promise.all(asked)).flat()
      }
      expect(await answering('127.0.0.1')).toEqual([VAULT_PORT])
      expect(await answering('127.0.0.2')).toEqual([SERVICE_PORT])
      expect(await answering('127.0.0.3')).toEqual([METRICS_PORT])
      await running.close()
    },
  )

  it('is the only one to serve its SQLite files, until it ends', async () => {
    copyMigrated(dataDir)
    const running = await start(['vault', 'api'])
    for (const role of ['vault', 'panel'] as const) {
      const elsewhere = {
        COFRE_VAULT_SERVICE_URL: 'http://127.0.0.1:9',
        COFRE_VAULT_SERVICE_KEY: KEY,
      }
      await expect(
        start([role], { ...elsewhere, COFRE_VAULT_PORT: String(await freePort()) }),
      ).rejects.toThrow(/[.]db is served by .+ already.+stop that one/)
    }
    await running.close()
    await (await start(['vault', 'api'])).close()
  })

  describe('does not start', needs('a system with file modes'), () => {
    it('if others can reach its keys or its folder, and explains the fix', async () => {
      copyMigrated(dataDir)
      await (await start(['vault', 'api'])).close()
      for (const [name, mode, wanted] of [
        ['vault-keys', 0o640, '600'],
        ['vault-keys', 0o602, '600'],
        ['gateway-keys', 0o604, '600'],
        ['.', 0o750, '700'],
        ['.', 0o701, '700'],
      ] as const) {
        const file = path.join(dataDir, name)
        const before = statSync(file).mode
        chmodSync(file, mode)
        const reported = `may be read.+ by other users: its mode is ${mode.toString(8)}`
        const starting = start(['vault', 'api'])
        await expect(starting, name).rejects.toThrow(`run chmod ${wanted} ${file}`)
        await expect(starting, name).rejects.toThrow(new RegExp(reported))
        chmodSync(file, before)
      }
      await (await start(['vault', 'api'])).close()
    })

    it('where the folder of the vault’s database lets others in, and makes one that does not', async () => {
      const folder = path.join(dataDir, 'elsewhere')
      const environ = { COFRE_VAULT_DATABASE_URL: `sqlite:${path.join(folder, 'vault.db')}` }
      await (await start(['vault'], environ)).close()
      chmodSync(folder, 0o755)
      await expect(start(['vault'], environ)).rejects.toThrow(`run chmod 700 ${folder}`)
    })

    it('but for what its roles open: a gateway needs no folder of a vault', async () => {
      chmodSync(dataDir, 0o755)
      const elsewhere = {
        COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${SERVICE_PORT}`,
        COFRE_VAULT_SERVICE_KEY: KEY,
      }
      await (await start(['api'], elsewhere)).close()
    })
  })

  it('names a broken lock file, and explains the fix', async () => {
    await (await start(['vault'])).close()
    const lock = path.join(dataDir, 'vault.db.lock')
    writeFileSync(lock, Buffer.alloc(4096))
    await expect(start(['vault'])).rejects.toThrow(
      `The lock file ${lock} is broken: remove ${lock} while nothing serves`,
    )
    rmSync(lock)
    await (await start(['vault'])).close()
  })

  it('lets vault and gateway serve the files of one folder, each its own', async () => {
    copyMigrated(dataDir)
    const service = { COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${SERVICE_PORT}` }
    const vault = await start(['vault'], { COFRE_VAULT_SERVICE_KEY: KEY })
    const gateway = await start(['api'], { ...service, COFRE_VAULT_SERVICE_KEY: KEY })
    await gateway.close()
    await vault.close()
  })

  it('warns of a vault that answers no gateway, and logs its end', async () => {
    const lines: { msg: string; level: number }[] = []
    const log = pino({}, { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[0]) })
    await (await start(['vault'], {}, log)).close()
    expect(lines.map(({ msg }) => msg)).toContain(
      'COFRE_VAULT_SERVICE_KEY is not set: no gateway can use this vault; set the key here and at the gateway',
    )
    expect(lines.at(-1)).toMatchObject({
      level: 30,
      msg: 'stopped',
      drained: true,
      underWay: 0,
      clean: true,
    })
  })

  it('announces its stop before it stops', async () => {
    const drain = { COFRE_DRAIN: '1s', COFRE_METRICS_PORT: String(METRICS_PORT) }
    const running = await start(['vault'], drain)
    const readyz = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/readyz`)).status
    expect(await readyz()).toBe(200)
    const closing = running.close()
    expect(await readyz()).toBe(503)
    expect(await statusAt(VAULT_PORT)).toBe(404)
    await closing
    expect(await statusAt(VAULT_PORT)).toBeUndefined()
  })

  it('shows its work in metrics, but only with their role or port', async () => {
    const metricsAt = async () =>
      await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).then(
        (answer) => answer.text(),
        () => undefined,
      )
    copyMigrated(dataDir)
    const without = await start(['vault'])
    expect(await metricsAt()).toBeUndefined()
    await without.close()
    const running = await start(['vault', 'api', 'worker'], {
      COFRE_METRICS_PORT: String(METRICS_PORT),
      COFRE_SESSIONS_PER_MINUTE: '1',
    })
    await fetch(`http://127.0.0.1:${API_PORT}/transactions/4111111111111111`)
    for (let i = 0; i < 3; i++)
      await fetch(`http://127.0.0.1:${VAULT_PORT}/sessions`, { method: 'POST' })
    const text = (await metricsAt()) ?? ''
    await running.close()
    expect(text).toContain(
      'cofre_requests_total{role="api",route="/transactions/:code",method="GET",status="401"} 1',
    )
    expect(text).toContain('cofre_errors_total{role="api",code="10001"} 1')
    expect(text).toContain('cofre_requests_refused_total{role="vault",reason="session_rate"} 2')
    expect(text).toContain('cofre_vault_records{kind="session"} 1')
    expect(text).toContain('cofre_vault_key_age_seconds{state="current"}')
    expect(text).toContain('cofre_outbox_waiting{environment="production"} 0')
    expect(text).toContain('cofre_worker_last_round_age_seconds{environment="sandbox"}')
    expect(text).not.toContain('4111111111111111')
  })

  it('counts captures of authorized payments in metrics', async () => {
    copyMigrated(dataDir)
    const running = await start(['vault', 'sandbox'], { COFRE_METRICS_PORT: String(METRICS_PORT) })
    const secret = await createTestStore({ COFRE_DATA_DIR: dataDir })
    expect(await captureRawCard(SANDBOX_PORT, secret)).toMatchObject({ capture: 'captured' })
    const metrics = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)
    const text = await metrics.text()
    await running.close()
    for (const line of [
      'cofre_card_captures_total{environment="sandbox",outcome="captured"} 1',
      'cofre_card_captures_waiting{environment="sandbox",operation="capture"} 0',
      'cofre_card_captures_oldest_age_seconds{environment="production",operation="void"} 0',
    ])
      expect(text).toContain(line)
  })
})
