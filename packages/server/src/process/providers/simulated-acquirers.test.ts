import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AccountTables } from '@cofre/provider-kit/account'
import { createMerchantClient } from '@cofre/merchant'
import type { Database } from '@cofre/sql'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Role, readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { devStore } from '../../installation/test-store.js'
import { cardPurchase } from '../purchase.fixture.js'
import { type RunningCofre, startCofre } from '../start.js'
import { freePorts } from '../../http/free-port.fixture.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { needs } from '../../../../../test/needs.js'

const PORTS = await freePorts(
  'API',
  'SANDBOX',
  'VAULT',
  'NOTICES',
  'SIMULATOR',
  'ADYEN',
  'CIELO',
  'INTER',
)
const PAGES = {
  adyen: `http://127.0.0.1:${PORTS.COFRE_ADYEN_PORT}`,
  cielo: `http://127.0.0.1:${PORTS.COFRE_CIELO_PORT}`,
} as const
const ROLES: readonly Role[] = ['vault', 'api', 'sandbox', 'worker', 'notices']
const ELO = { brand: 'elo', number: '5066991111111050' }
const OFTEN = { interval: 100 }

describe('npm start', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-acquirers-'))
  copyMigrated(dataDir)
  const configIn = (mode: 'dev' | 'serve') =>
    readConfig({ COFRE_DATA_DIR: dataDir, ...PORTS }, mode)
  const config = configIn('dev')
  const store = devStore(config)
  const merchantAt = (port: string) =>
    createMerchantClient({
      baseUrl: `http://127.0.0.1:${port}`,
      storeId: store.id,
      secret: store.secret.reveal(),
      retryBudgetMs: 0,
    })
  const production = merchantAt(PORTS.COFRE_API_PORT)
  let lines: string[]
  let running: RunningCofre
  const start = async (mode: 'dev' | 'serve' = 'dev') => {
    lines = []
    const log = pino({}, { write: (line) => lines.push(line) })
    running = await startCofre(configIn(mode), ROLES, log)
  }
  const simulators = () => {
    const found = readdirSync(dataDir).includes('simulators')
    return found ? readdirSync(path.join(dataDir, 'simulators')) : []
  }
  const statusOf = async (code: string) => (await production.findTransaction(code)).status

  /** Submits the newest payment's form with this address suffix, like a person on the page. */
  const press = async (page: string, action: string, fields: Record<string, string> = {}) => {
    const answer = await fetch(page)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const html = await answer.text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const [, address = ''] = new RegExp(`action="(/[^"]*${action})"`).exec(html) ?? []
    const { status } = await fetch(page + address, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookies.join('; ') },
      body: new URLSearchParams({ csrf, ...fields }),
    })
    expect([address === '', status]).toEqual([false, 303])
  }

  beforeAll(() => start())
  afterAll(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true })
  })

  it('has no acquirer in memory or in its folder before a card needs one', async () => {
    expect(simulators()).toEqual([])
    const inSandbox = merchantAt(PORTS.COFRE_SANDBOX_PORT)
    const { transaction } = await inSandbox.createTransaction(cardPurchase('played'))
    expect(transaction).toMatchObject({ status: 'PAID' })
    expect(simulators()).toEqual([])
  })

  it.each([
    ['adyen', 'Visa', undefined, '411111******1111'],
    ['cielo', 'Elo', ELO, '506699******1050'],
  ] as const)('charges production’s cards at %s, as %s', async (name, _, card, masked) => {
    const { transaction } = await production.createTransaction(cardPurchase(`at-${name}`, card))
    expect(transaction.status).toBe('PAID')
    expect(simulators()).toContain(name)
    expect(await (await fetch(PAGES[name])).text()).toContain(masked)
  })

  it('receives chargebacks, also of what was charged before a restart', async () => {
    const { transaction } = await production.createTransaction(cardPurchase('disputed'))
    expect(await running.close()).toBe(true)
    await start()
    await press(PAGES.adyen, '/charge-back')
    await expect.poll(() => statusOf(transaction.code), OFTEN).toBe('CHARGEBACK')
    expect(lines.join('')).toMatch(/"path":"\/notices\/[^/]+\/\[address\]".*"status":200/)
  })

  it('gives money back to the card', async () => {
    const { transaction } = await production.createTransaction(cardPurchase('refunded'))
    await production.createRefund({
      'transaction-id': Number(transaction.code),
      'notify-url': 'https://shop.example/notifications',
    })
    await expect.poll(() => statusOf(transaction.code), OFTEN).toBe('REFUNDED')
  })

  it('keeps its acquirers’ secrets for its user', needs('a system with file modes'), () => {
    const folder = path.join(dataDir, 'simulators')
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const mode = statSync(path.join(file.parentPath, file.name)).mode & 0o777
      expect([file.name, mode]).toEqual([file.name, file.isDirectory() ? 0o700 : 0o600])
    }
  })

  it('writes no card, and no secret of an account, into its log', () => {
    const paths = lines.join('').match(/"path":"\/notices[^"]*"/g) ?? []
    expect(paths.length).toBeGreaterThan(0)
    for (const each of paths) expect(each).toMatch(/^"path":"\/notices\/[^/]+\/\[address\]"$/)
    expect(lines.join('')).not.toMatch(/4111111111111111|5066991111111050/)
  })

  it('leaves accounts that serve refuses to start with, until they are disabled', async () => {
    await running.close()
    await expect(start('serve')).rejects.toThrow(/npm start alone plays: run cofre account disable/)
    for (const { use } of [DATABASES.production, DATABASES.vault])
      await use(config, (database: Database<AccountTables>) =>
        database.transact((trx) => trx.updateTable('accounts').set({ disabled_at: 1 }).execute()),
      )
    await start('serve')
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
  })

  it('plays them again once a person has enabled them', async () => {
    await running.close()
    for (const { use } of [DATABASES.production, DATABASES.vault])
      await use(config, (database: Database<AccountTables>) =>
        database.transact((trx) =>
          trx.updateTable('accounts').set({ disabled_at: null }).execute(),
        ),
      )
    await start()
    const { transaction } = await production.createTransaction(cardPurchase('enabled-again'))
    expect(transaction.status).toBe('PAID')
    expect(await (await fetch(PAGES.adyen)).text()).toContain('411111******1111')
  })
})
