import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createMerchantClient } from '@cofre/merchant'
import { type Role, readConfig } from '../config/config.js'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devStore } from '../installation/test-store.js'
import { DATABASES } from '../installation/databases.js'
import { pixPurchase } from './purchase.fixture.js'
import { type RunningCofre, startCofre } from './start.js'

// Below the range that systems hand out for outgoing connections.
const PORTS = {
  COFRE_API_PORT: '21410',
  COFRE_SANDBOX_PORT: '21411',
  COFRE_VAULT_PORT: '21412',
  COFRE_NOTICES_PORT: '21413',
  COFRE_SIMULATOR_PORT: '21414',
}
const PAGE = `http://127.0.0.1:${PORTS.COFRE_SIMULATOR_PORT}`
const ROLES: readonly Role[] = ['vault', 'api', 'sandbox', 'worker', 'notices']
const PATIENCE = { timeout: 20_000, interval: 100 }

describe('npm start', { timeout: 60_000 }, () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-simulator-'))
  const configIn = (mode: 'dev' | 'serve', environ: Record<string, string> = {}) =>
    readConfig({ COFRE_ACQUIRER: 'sandbox', COFRE_DATA_DIR: dataDir, ...PORTS, ...environ }, mode)
  const config = configIn('dev')
  const store = devStore(config)
  const merchantAt = (port: string) =>
    createMerchantClient({
      baseUrl: `http://127.0.0.1:${port}`,
      storeId: store.id,
      secret: store.secret.reveal(),
    })
  const production = merchantAt(PORTS.COFRE_API_PORT)
  let lines: string[]
  let running: RunningCofre
  const start = async () => {
    lines = []
    running = await startCofre(config, ROLES, pino({}, { write: (line) => lines.push(line) }))
  }
  const hasSimulator = () => readdirSync(dataDir).includes('simulators')
  const statusOf = async (code: string) => (await production.findTransaction(code)).status

  /** What a person does on the bank's page. */
  const openPage = async () => {
    const answer = await fetch(PAGE)
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const html = await answer.text()
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const post = async (address: string, fields: Record<string, string>) => {
      const { status } = await fetch(PAGE + address, {
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

  beforeAll(start, 60_000)
  afterAll(async () => {
    await running.close()
    rmSync(dataDir, { recursive: true })
  }, 60_000)

  it('has no bank in memory or in its folder before anybody needs one', async () => {
    expect(hasSimulator()).toBe(false)
    const boleto = pixPurchase('boleto')
    const inSandbox = await merchantAt(PORTS.COFRE_SANDBOX_PORT).createTransaction(boleto)
    expect(inSandbox.transaction).toMatchObject({ status: 'PENDING' })
    expect(hasSimulator()).toBe(false)
    expect(lines.join('')).not.toContain('simulated bank')
  })

  it('pays production’s PIX at the bank, which reports it', async () => {
    const { transaction } = await production.createTransaction(pixPurchase('by-notice'))
    expect(transaction.status).toBe('PENDING')
    const [txid = ''] = await txids()
    const { post } = await openPage()
    await post(`/charges/${txid}/pay`, { amount: '1,00' })
    await expect.poll(() => statusOf(transaction.code), PATIENCE).toBe('COMPLETE')
    const taken = lines.filter((line) => line.includes('"role":"notices"'))
    expect(taken.join('')).toContain('"status":200')
  })

  it('finds the payment also when the bank reports nothing, and after a restart', async () => {
    const { post } = await openPage()
    await post('/conditions', {
      notices: 'never',
      refunds: 'settled',
      lifetime: 'asked',
      delayMs: '0',
      connection: 'kept',
    })
    const { transaction } = await production.createTransaction(pixPurchase('by-polling'))
    const [txid = ''] = await txids()
    await post(`/charges/${txid}/pay`, { amount: '1,00' })
    expect(await running.close()).toBe(true)
    await start()
    await expect.poll(() => statusOf(transaction.code), PATIENCE).toBe('COMPLETE')
    expect(await txids()).toContain(txid)
  })

  it('gives money back where the payer paid from', async () => {
    const { transaction } = await production.createTransaction(pixPurchase('refunded'))
    const [txid = ''] = await txids()
    const { post } = await openPage()
    await post(`/charges/${txid}/pay`, { amount: '1,00' })
    await expect.poll(() => statusOf(transaction.code), PATIENCE).toBe('COMPLETE')
    await production.createRefund({
      'transaction-id': Number(transaction.code),
      'notify-url': 'https://shop.example/notifications',
    })
    await expect.poll(() => statusOf(transaction.code), PATIENCE).toBe('REFUNDED')
    const charge = await fetch(`${PAGE}/charges/${txid}`)
    expect(await charge.text()).toContain('Devolvida')
  })

  it.skipIf(process.platform === 'win32')('keeps its bank’s secrets for its user', () => {
    const folder = path.join(dataDir, 'simulators')
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const mode = statSync(path.join(file.parentPath, file.name)).mode & 0o777
      expect([file.name, mode]).toEqual([file.name, file.isDirectory() ? 0o700 : 0o600])
    }
  })

  it('writes no secret of the account into its log', async () => {
    const accounts = await DATABASES.production.use(config, ({ reader }) =>
      reader.selectFrom('accounts').select(['id', 'kind', 'merchant_id']).execute(),
    )
    expect(accounts).toEqual([
      { id: expect.any(String) as string, kind: 'simulator', merchant_id: store.id },
    ])
    const paths = lines.join('').match(/"path":"\/notices[^"]*"/g) ?? []
    expect(new Set(paths)).toEqual(
      new Set([`"path":"/notices/${accounts[0]?.id ?? ''}/[address]"`]),
    )
  })

  it('leaves an account that serve refuses to start with, until it is disabled', async () => {
    await running.close()
    const serve = () => startCofre(configIn('serve'), ROLES, pino({ enabled: false }))
    await expect(serve()).rejects.toThrow(/npm start alone plays: run cofre account disable \S+,/)
    const change = (disabledAt: number | null) =>
      DATABASES.production.use(config, (database) =>
        database.transact((trx) =>
          trx.updateTable('accounts').set({ disabled_at: disabledAt }).execute(),
        ),
      )
    await change(1)
    running = await serve()
    const refused = production.createTransaction(pixPurchase('in-service'))
    await expect(refused).rejects.toMatchObject({ errors: [{ code: 210_601 }] })
  })
})
