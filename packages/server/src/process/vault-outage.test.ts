import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ENVIRONMENTS, MINUTE_MS } from '@cofre/contracts'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type RunningCofre, startCofre } from './start.js'
import { type Role, readConfig } from '../config/config.js'
import { runProgram } from '../main.js'
import { LOG_OPTIONS } from '../observability/log.js'
import { buyWithRawCard, createTestStore } from './purchase.fixture.js'
import { freePort } from '../http/free-port.fixture.js'
import { copyMigrated } from '../installation/migrated.fixture.js'

const SANDBOX_PORT = await freePort()
const VAULT_PORT = await freePort()
const METRICS_PORT = await freePort()
const SERVICE_PORT = await freePort()
const CARD = '4111111111111111'
const drawKey = (): string => `k1:${randomBytes(32).toString('base64url')}`

describe('A gateway whose vault is not there for it', () => {
  let dataDir: string
  let environ: Record<string, string>
  const started: RunningCofre[] = []
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-outage-'))
    for (const name of ['vault', 'gateway']) {
      mkdirSync(path.join(dataDir, name), { mode: 0o700 })
      copyMigrated(path.join(dataDir, name))
    }
    environ = {
      COFRE_SANDBOX_PORT: String(SANDBOX_PORT),
      COFRE_VAULT_PORT: String(VAULT_PORT),
      COFRE_VAULT_SERVICE_PORT: String(SERVICE_PORT),
      COFRE_VAULT_SERVICE_KEY: drawKey(),
    }
  })
  afterEach(async () => {
    // Windows can't remove open files, so the processes must close them first.
    for (const running of started.splice(0).reverse()) await running.close()
    rmSync(dataDir, { recursive: true })
  })

  const start = async (roles: Role[], over: Record<string, string>) => {
    const lines: string[] = []
    const log = pino(LOG_OPTIONS, { write: (line: string) => lines.push(line) })
    const running = await startCofre(readConfig({ ...environ, ...over }, 'serve'), roles, log)
    started.push(running)
    return { lines, running }
  }
  const ofVault = () => ({ COFRE_DATA_DIR: path.join(dataDir, 'vault') })
  const ofGateway = () => ({
    COFRE_DATA_DIR: path.join(dataDir, 'gateway'),
    COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${SERVICE_PORT}`,
    COFRE_METRICS_PORT: String(METRICS_PORT),
  })
  const show = async (at: string) => await fetch(`http://127.0.0.1:${METRICS_PORT}${at}`)
  const metrics = async () => await (await show('/metrics')).text()
  const parse = (lines: string[]) =>
    lines.map(
      (line) => JSON.parse(line) as { level: number; msg: string } & Record<string, unknown>,
    )

  it.each<[string, () => Promise<{ close: () => Promise<boolean> } | undefined>, string]>([
    ['does not run', () => Promise.resolve(undefined), 'not reached'],
    [
      'has another key',
      async () =>
        (await start(['vault'], { ...ofVault(), COFRE_VAULT_SERVICE_KEY: drawKey() })).running,
      'answered 401',
    ],
  ])('reports that the vault %s, and charges once it is back', async (_, startOther, reason) => {
    const other = await startOther()
    const { lines } = await start(['sandbox'], ofGateway())
    const secret = await createTestStore({ ...environ, ...ofGateway() })
    await expect.poll(() => lines.join('')).toContain('no card can be charged')
    await expect(buyWithRawCard(SANDBOX_PORT, secret)).rejects.toMatchObject({
      status: 503,
      errors: [{ code: 90006 }],
    })

    const line = parse(lines).find(({ msg }) => msg.startsWith('a card was not charged'))
    const request = parse(lines).find(({ msg }) => msg === 'request')
    expect(line).toMatchObject({
      level: 'error',
      requestId: request?.requestId,
      error: { message: expect.stringContaining(reason) as string },
    })
    expect(request).toMatchObject({ status: 503, requestId: expect.any(String) as string })
    const text = await metrics()
    expect(text).toMatch(/cofre_authorizations_total\{[^}]*outcome="unreachable"\} 1/)
    expect(text).toContain('cofre_vault_reachable{check="ping"} 0')
    // Boleto and PIX continue.
    expect((await show('/readyz')).status).toBe(200)

    await other?.close()
    await start(['vault'], ofVault())
    expect((await buyWithRawCard(SANDBOX_PORT, secret)).transaction.status).toBe('PAID')
    await expect
      .poll(metrics, { timeout: 10_000, interval: 500 })
      .toContain('cofre_vault_reachable{check="ping"} 1')
    const ofWatch = parse(lines).filter(({ msg }) => /^the vault (still )?(does|answers)/.test(msg))
    expect(ofWatch).toMatchObject([
      { level: 'error', msg: expect.stringContaining('no card can be charged') as string },
      { level: 'info', msg: 'the vault answers again' },
    ])
    expect(lines.join('')).not.toContain(CARD)
  })

  it('sends it the settings of card fields once it is back, and stores them until then', async () => {
    const { lines } = await start(['worker'], ofGateway())
    const setting = 'store create loja --origin https://loja.example --fields-bin show'
    for (const line of [setting, `${setting} --sandbox`])
      await runProgram(line.split(' '), {
        clock: Date,
        config: (mode) => readConfig({ ...environ, ...ofGateway() }, mode),
        print: () => undefined,
        warn: () => undefined,
        fail: () => undefined,
      })
    const failures = () => parse(lines).filter(({ job }) => job === 'card fields')
    await expect.poll(() => failures().length, { timeout: 15_000 }).toBe(2)
    expect(failures()).toMatchObject([
      { level: 'error', msg: 'a job failed' },
      { level: 'error', msg: 'a job failed' },
    ])
    expect(await metrics()).toMatch(
      /cofre_card_fields_oldest_age_seconds\{environment="production"\} (?!0\n)/,
    )
    await start(['vault'], ofVault())
    const known = () => {
      const vault = new DatabaseSync(path.join(dataDir, 'vault', 'vault.db'), { readOnly: true })
      const rows = vault
        .prepare('select environment, origins, shows_bin from store_field_settings')
        .all()
      vault.close()
      return rows
    }
    const announced = { origins: '["https://loja.example"]', shows_bin: 1 }
    await expect
      .poll(known, { timeout: 15_000 })
      .toEqual(
        expect.arrayContaining(ENVIRONMENTS.map((environment) => ({ environment, ...announced }))),
      )
    await expect
      .poll(metrics, { timeout: 15_000 })
      .toMatch(/cofre_card_fields_oldest_age_seconds\{environment="production"\} 0\n/)
  })

  it('shows nothing of a way to the vault where the vault is in the process itself', async () => {
    await start(['sandbox', 'vault'], { ...ofVault(), COFRE_METRICS_PORT: String(METRICS_PORT) })
    expect(await metrics()).not.toContain('cofre_vault_reachable{')
  })

  it('stays ready, and its worker alive, three minutes after the vault has gone', async () => {
    vi.useFakeTimers({ toFake: ['performance'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const { lines } = await start(['worker'], ofGateway())
    const failed = () => new Set(parse(lines).map(({ job }) => job))
    await expect.poll(() => failed().has('card changes'), { timeout: 15_000 }).toBe(true)
    vi.advanceTimersByTime(3 * MINUTE_MS)
    const ready = async () => (await show('/readyz')).status
    expect(await ready()).toBe(503)
    // Each job polls for work again.
    await expect.poll(ready, { timeout: 30_000, interval: 500 }).toBe(200)
  })
})
