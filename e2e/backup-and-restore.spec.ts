import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import type { CreateTransactionRequest } from '@cofre/merchant'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import { COFRE, type CofreProcess, type Ports, freePorts, startCofre } from './cofre-process.js'
import { copyPostgres, createDatabase } from './postgres-backup.js'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'

const CARD = { number: '4111111111111111', cvv: '123' }
const BUYERS = 3

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cofre-backup-'))
})
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A saved card belongs to its payer's e-mail. */
function paidBy(name: string, order: CreateTransactionRequest): CreateTransactionRequest {
  return { ...order, payer: { ...order.payer, email: `${name}@example.com` } }
}

/** Stored apart from the databases. */
const KEY_FILES = ['vault-keys', 'gateway-keys']

/** Pays with a card and saves it. */
async function saveCard(ports: Ports, reference: string): Promise<{ code: string; card: string }> {
  const token = await depositCard(ports, CARD)
  const order = cardPurchase(reference, { installments: 1, token, save: true })
  const answer = await merchantAt(ports.api).createTransaction(paidBy(reference, order))
  return { code: answer.transaction.code, card: answer['payment-methods']?.[0]?.code ?? '' }
}

/** Starts shoppers who keep buying while the backup is made. */
function startBuyers(ports: Ports): { stop(): Promise<number> } {
  let isOver = false
  const buy = async (buyer: number): Promise<number> => {
    let bought = 0
    for (; !isOver; bought++) await saveCard(ports, `buyer-${buyer}-${bought}`)
    return bought
  }
  const buyers = Array.from({ length: BUYERS }, (_, buyer) => buy(buyer))
  return {
    async stop() {
      isOver = true
      return (await Promise.all(buyers)).reduce((sum, bought) => sum + bought)
    },
  }
}

/** The payments before the backup exist, and the saved card can pay. */
async function expectRestored(
  { ports }: CofreProcess,
  saved: { code: string; card: string },
): Promise<void> {
  const shop = merchantAt(ports.api)
  expect((await shop.findTransaction(saved.code)).status).toBe('COMPLETE')
  const order = cardPurchase('after-restore', { installments: 1, code: saved.card })
  const { transaction } = await shop.createTransaction(paidBy('before', order))
  expect(transaction.status).toBe('PAID')
}

async function cofre(args: readonly string[], environ: Record<string, string>): Promise<string> {
  const env = { ...process.env, ...environ }
  return (await promisify(execFile)(process.execPath, [COFRE, ...args], { env })).stdout
}

test('SQLite is backed up while shoppers pay, and restored with the key files from elsewhere', async () => {
  const running = await startCofre(await freePorts())
  const saved = await saveCard(running.ports, 'before')
  for (const keys of KEY_FILES)
    copyFileSync(path.join(running.dataDir, keys), path.join(folder, keys))

  const buyers = startBuyers(running.ports)
  const backup = path.join(folder, 'backup')
  const reported = await cofre(['backup', backup], { COFRE_DATA_DIR: running.dataDir })
  expect(await buyers.stop()).toBeGreaterThan(0)
  await running.dispose()
  for (const keys of KEY_FILES) expect(reported).toContain(`${keys} is not included`)
  expect(readdirSync(backup).sort()).toEqual(
    ['gateway-bank.db', 'gateway-sandbox.db', 'gateway.db', 'vault.db'].sort(),
  )

  const empty = path.join(folder, 'restored')
  mkdirSync(empty, { mode: 0o700 })
  for (const name of readdirSync(backup))
    copyFileSync(path.join(backup, name), path.join(empty, name))
  for (const keys of KEY_FILES) copyFileSync(path.join(folder, keys), path.join(empty, keys))
  const restored = await startCofre(await freePorts(), { COFRE_DATA_DIR: empty })
  await expectRestored(restored, saved)
  expect(await cofre(['audit', 'verify'], { COFRE_DATA_DIR: empty })).toContain('is intact')
  await restored.dispose()
})

test('PostgreSQL is dumped while shoppers pay, and restored into an empty database', async () => {
  const stopPostgres = await startPostgres()
  try {
    const url = process.env.COFRE_TEST_POSTGRES_URL ?? ''
    const environOf = (database: string) => ({
      COFRE_DATABASE_URL: database,
      COFRE_VAULT_DATABASE_URL: database,
    })
    const running = await startCofre(await freePorts(), environOf(url))
    const saved = await saveCard(running.ports, 'before')
    mkdirSync(path.join(folder, 'restored'), { mode: 0o700 })
    for (const keys of KEY_FILES)
      copyFileSync(path.join(running.dataDir, keys), path.join(folder, 'restored', keys))

    const buyers = startBuyers(running.ports)
    const empty = await createDatabase(url, 'restored')
    const tool = await copyPostgres(url, empty, path.join(folder, 'cofre.dump'))
    test.info().annotations.push({ type: 'copied with', description: tool })
    expect(await buyers.stop()).toBeGreaterThan(0)
    await running.dispose()

    const dataDir = path.join(folder, 'restored')
    const environ = { ...environOf(empty), COFRE_DATA_DIR: dataDir }
    const restored = await startCofre(await freePorts(), environ)
    await expectRestored(restored, saved)
    expect(await cofre(['audit', 'verify'], environ)).toContain('is intact')
    await restored.stop()
  } finally {
    await stopPostgres()
  }
})
