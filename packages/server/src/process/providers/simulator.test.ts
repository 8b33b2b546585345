import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AccountTables } from '@cofre/provider-kit/account'
import { ENVIRONMENTS } from '@cofre/contracts'
import { createMerchantClient } from '@cofre/merchant'
import type { Database } from '@cofre/sql'
import { type Role, readConfig } from '../../config/config.js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devStore } from '../../installation/test-store.js'
import { DATABASES } from '../../installation/databases.js'
import { boletoPurchase, pixPurchase } from '../purchase.fixture.js'
import { runProgram } from '../../main.js'
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
  // Nothing listens there.
  'DEMO',
  'DEMO_PRODUCTION',
)
const PAGE = `http://127.0.0.1:${PORTS.COFRE_SIMULATOR_PORT}`
const ADYEN_PAGE = `http://127.0.0.1:${PORTS.COFRE_ADYEN_PORT}`
const INTER_PAGE = `http://127.0.0.1:${PORTS.COFRE_INTER_PORT}`
const ROLES: readonly Role[] = ['vault', 'api', 'sandbox', 'worker', 'notices']
/** The bank's behaviour until a person changes it. */
const CALM = {
  notices: 'once',
  refunds: 'settled',
  lifetime: 'asked',
  delayMs: '0',
  connection: 'kept',
}
const OFTEN = { interval: 100 }

describe('npm start', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-simulator-'))
  copyMigrated(dataDir)
  const configIn = (mode: 'dev' | 'serve', environ: Record<string, string> = {}) =>
    readConfig({ COFRE_DATA_DIR: dataDir, ...PORTS, ...environ }, mode)
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
  const demoOrigins = () =>
    [PORTS.COFRE_DEMO_PORT, PORTS.COFRE_DEMO_PRODUCTION_PORT]
      .flatMap((port) => [`http://127.0.0.1:${port}`, `http://localhost:${port}`])
      .toSorted()
  const cofre = async (line: string) => {
    let output = ''
    await runProgram(line.split(' '), {
      clock: Date,
      config: (mode) => configIn(mode),
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return output
  }
  const hasSimulator = () => readdirSync(dataDir).includes('simulators')
  const statusOf = async (code: string) => (await production.findTransaction(code)).status

  /** Opens the bank's page, like a person. */
  const openPage = async (page = PAGE) => {
    const answer = await fetch(page)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const html = await answer.text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const post = async (address: string, fields: Record<string, string>) => {
      const { status } = await fetch(page + address, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookies.join('; ') },
        body: new URLSearchParams({ csrf, ...fields }),
      })
      expect(status).toBe(303)
    }
    return { html, post }
  }
  const txids = async () => {
    const { html } = await openPage()
    return [...html.matchAll(/\b[a-z2-7]{32}\b/g)].map(([txid]) => txid)
  }

  beforeAll(() => start())
  afterAll(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true })
  })

  it('has no bank in memory or in its folder before one is needed', async () => {
    expect(hasSimulator()).toBe(false)
    const boleto = pixPurchase('boleto')
    const inSandbox = await merchantAt(PORTS.COFRE_SANDBOX_PORT).createTransaction(boleto)
    expect(inSandbox.transaction).toMatchObject({ status: 'PENDING' })
    expect(hasSimulator()).toBe(false)
    expect(lines.join('')).not.toContain('simulated bank')
  })

  it('lets the demo shops show the test store’s card fields', async () => {
    const known = () => {
      const vault = new DatabaseSync(path.join(dataDir, 'vault.db'), { readOnly: true })
      const rows = vault
        .prepare('select environment, origins from store_field_settings where store_id = ?')
        .all(store.id)
      vault.close()
      return rows.map(({ environment, origins }) => ({
        environment,
        origins: (JSON.parse(String(origins)) as string[]).toSorted(),
      }))
    }
    const origins = demoOrigins()
    const shown = ENVIRONMENTS.map((environment) => ({ environment, origins }))
    await expect.poll(known, OFTEN).toEqual(expect.arrayContaining(shown))
  })

  it('pays production’s PIX at the bank, which reports it', async () => {
    const { transaction } = await production.createTransaction(pixPurchase('by-notice'))
    expect(transaction.status).toBe('PENDING')
    const [txid = ''] = await txids()
    const { post } = await openPage()
    await post(`/charges/${txid}/pay`, { amount: '1,00' })
    await expect.poll(() => statusOf(transaction.code), OFTEN).toBe('COMPLETE')
    const taken = lines.filter((line) => line.includes('"role":"notices"'))
    expect(taken.join('')).toContain('"status":200')
  })

  it('finds the payment also when the bank reports nothing, and after a restart', async () => {
    const { post } = await openPage()
    await post('/conditions', { ...CALM, notices: 'never' })
    const { transaction } = await production.createTransaction(pixPurchase('by-polling'))
    const [txid = ''] = await txids()
    await post(`/charges/${txid}/pay`, { amount: '1,00' })
    expect(await running.close()).toBe(true)
    await start()
    await expect.poll(() => statusOf(transaction.code), OFTEN).toBe('COMPLETE')
    expect(await txids()).toContain(txid)
  })

  it('gives money back where the payer paid from', async () => {
    const { transaction } = await production.createTransaction(pixPurchase('refunded'))
    const [txid = ''] = await txids()
    const { post } = await openPage()
    await post(`/charges/${txid}/pay`, { amount: '1,00' })
    await expect.poll(() => statusOf(transaction.code), OFTEN).toBe('COMPLETE')
    await production.createRefund({
      'transaction-id': Number(transaction.code),
      'notify-url': 'https://shop.example/notifications',
    })
    await expect.poll(() => statusOf(transaction.code), OFTEN).toBe('REFUNDED')
    const charge = await fetch(`${PAGE}/charges/${txid}`)
    expect(await charge.text()).toContain('Devolvida')
  })

  it('pays production’s boleto at Inter, which reports it', async () => {
    const created = await production.createTransaction(boletoPurchase('by-line'))
    const { html, post } = await openPage(INTER_PAGE)
    const [address = ''] = /\/boletos\/[0-9a-f-]{36}/.exec(html) ?? []
    const shown = await (await fetch(INTER_PAGE + address)).text()
    const [line = 'no line'] = /\b077\d{44}\b/.exec(shown) ?? []
    expect(JSON.stringify(created)).toContain(line)
    await post(`${address}/pay`, { way: 'line' })
    await expect.poll(() => statusOf(created.transaction.code), OFTEN).toBe('COMPLETE')
  })

  it('registers its notice address at the bank, even if the bank was unreachable at first', async () => {
    expect(await running.close()).toBe(true)
    await start()
    const { post } = await openPage()
    await post('/conditions', { ...CALM, connection: 'cut-before' })
    await expect(production.createTransaction(pixPurchase('away'))).rejects.toMatchObject({
      errors: [{ code: 90_006 }],
    })
    await expect.poll(() => lines.join(''), OFTEN).toContain('did not register its notice address')
    await post('/conditions', CALM)
    await expect.poll(() => lines.join(''), OFTEN).toContain('"path":"/notices')
  })

  it('keeps its bank’s secrets for its user', needs('a system with file modes'), () => {
    const folder = path.join(dataDir, 'simulators')
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const mode = statSync(path.join(file.parentPath, file.name)).mode & 0o777
      expect([file.name, mode]).toEqual([file.name, file.isDirectory() ? 0o700 : 0o600])
    }
  })

  it('writes no secret of the account into its log', async () => {
    const accounts = await DATABASES.production.use(config, ({ reader }) =>
      reader.selectFrom('accounts').select(['id', 'provider', 'kind', 'merchant_id']).execute(),
    )
    expect(new Set(accounts.map(({ kind, merchant_id }) => [kind, merchant_id].join()))).toEqual(
      new Set([`simulator,${store.id}`]),
    )
    const account = accounts.find(({ provider }) => provider === 'pix-api')
    // Paths mask every long row of digits, even in an id.
    const id = account?.id.slice(0, 1) ?? ''
    const paths = () => [...new Set(lines.join('').match(/"path":"\/notices[^"]*"/g))]
    // The bank tests the address as soon as it is registered.
    await expect.poll(paths, OFTEN).toHaveLength(1)
    expect(paths().join()).toMatch(new RegExp(`^"path":"/notices/(${id}|\\[)[^/]+/\\[address]"$`))
  })

  it('starts an acquirer despite an account that it cannot open, and names the account', async () => {
    await running.close()
    const putSettings = (settings: string) => {
      const database = new DatabaseSync(path.join(dataDir, 'vault.db'))
      const found = database.prepare("select * from accounts where provider = 'adyen'").get()
      const update = "update accounts set settings = ? where provider = 'adyen'"
      database.prepare(update).run(settings)
      database.close()
      return { id: found?.id, settings: String(found?.settings) }
    }
    const { id, settings } = putSettings('{}')
    await start()
    expect((await fetch(ADYEN_PAGE)).status).toBe(200)
    const refusals = lines.filter((line) => line.includes('cannot open an account'))
    expect(refusals.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ provider: 'adyen', account: id }),
    ])
    putSettings(settings)
  })

  it('explains what to do with books of a later release', async () => {
    await production.createTransaction(pixPurchase('left-open'))
    await running.close()
    const books = path.join(dataDir, 'simulators', 'pix-bank', 'books.jsonl')
    writeFileSync(books, '{"books":"cofre-pix-bank","version":2}\n')
    await start()
    const answer = await fetch(PAGE)
    expect(answer.status).toBe(503)
    expect(await answer.text()).toMatch(/version 2.*Move the file away/s)
    expect(lines.join('')).toContain('a simulator cannot start')
    await expect(production.createTransaction(pixPurchase('no-bank'))).rejects.toMatchObject({
      errors: [{ code: 90_006 }],
    })
  })

  it('leaves an account that serve refuses to start with, until it is disabled', async () => {
    await running.close()
    const serve = () => start('serve')
    await expect(serve()).rejects.toThrow(/npm start alone plays: run cofre account disable \S+,/)
    for (const { use } of [DATABASES.production, DATABASES.vault])
      await use(config, (database: Database<AccountTables>) =>
        database.transact((trx) => trx.updateTable('accounts').set({ disabled_at: 1 }).execute()),
      )
    await serve()
    const refused = production.createTransaction(pixPurchase('in-service'))
    await expect(refused).rejects.toMatchObject({ errors: [{ code: 210_601 }] })
    await expect.poll(() => lines.join(''), OFTEN).toContain('account has no simulator')
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([])
  })

  it('keeps a disabled account disabled, and explains how to enable it', async () => {
    await running.close()
    rmSync(path.join(dataDir, 'simulators', 'pix-bank', 'books.jsonl'))
    await start()
    const refused = production.createTransaction(pixPurchase('still-disabled'))
    await expect(refused).rejects.toMatchObject({ errors: [{ code: 210_601 }] })
    const ids = [...lines.join('').matchAll(/cofre account enable ([\w-]+)/g)].map(([, id]) => id)
    // At the simulated PIX bank, Inter, Adyen and Cielo.
    expect(ids).toHaveLength(4)
  })

  it('keeps what a person has set of the test store, its own origin among the shops’', async () => {
    await running.close()
    const own = 'http://localhost:5173'
    // Ignores `isAtVault`: the vault learns of the change meanwhile.
    const shown = async (sandbox = '') => {
      const [found] = JSON.parse(await cofre(`store list --json${sandbox}`)) as object[]
      return { ...found, isAtVault: true }
    }
    const [, removed = ''] = demoOrigins()
    for (const sandbox of ['', ' --sandbox'])
      await cofre(
        `store set ${store.id} --name Mine --refunds none --rules lenient --raw-cards off --card-references refuse --fields-bin show --add-origin ${own} --remove-origin ${removed}${sandbox}`,
      )
    const before = [await shown(), await shown(' --sandbox')]
    expect(before[0]).toMatchObject({ name: 'Mine', refunds: 'none', rawCards: false })
    await start()
    expect([await shown(), await shown(' --sandbox')]).toEqual(before)
  })
})
