import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type CreateTransactionRequest, createMerchantClient } from '@cofre/merchant'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readConfig } from '../../config/config.js'
import { freePort, freePorts } from '../../http/free-port.fixture.js'
import { copyMigrated } from '../../installation/migrated.fixture.js'
import { devStore } from '../../installation/test-store.js'
import { runProgram } from '../../main.js'
import { openLog } from '../../observability/log.js'
import { boletoPurchase, cardPurchase, pixPurchase } from '../../process/purchase.fixture.js'
import { startCofre } from '../../process/start.js'

const EMAIL = 'canary@zanzibar-mail.example'
const DOCUMENT = '39053344705'
/** Texts that only this payer has, in the forms of tables and files. */
const CANARIES = ['canary', 'zanzibar', DOCUMENT, '390.533.447-05', '5541911112222']
const PAYER = {
  name: 'Canary de Zanzibar',
  email: EMAIL,
  'phone-number': '+5541911112222',
  document: { type: 'CPF', number: DOCUMENT },
} as const

const ports = {
  ...(await freePorts('SIMULATOR', 'ADYEN', 'CIELO', 'INTER')),
  COFRE_SANDBOX_PORT: String(await freePort()),
  COFRE_VAULT_PORT: String(await freePort()),
}
const SANDBOX = `http://127.0.0.1:${ports.COFRE_SANDBOX_PORT}`

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-canary-'))
  copyMigrated(dataDir)
})
afterEach(() => {
  rmSync(dataDir, { recursive: true })
})

const configOf = () => readConfig({ COFRE_DATA_DIR: dataDir, ...ports }, 'dev')

async function cofre(line: string): Promise<void> {
  await runProgram(line.split(' '), {
    clock: Date,
    config: configOf,
    print: () => undefined,
    warn: () => undefined,
    fail: () => undefined,
  })
}

const isOfPayer = (text: string) =>
  CANARIES.some((canary) => text.toLowerCase().includes(canary.toLowerCase()))

const files = () =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(dataDir, path.join(parentPath, name)))
    .toSorted()
const databases = () => files().filter((name) => /\.(?:sqlite|db)$/.test(name))

/** Every table of every database with the payer in a row. */
function tablesWithPayer(): readonly string[] {
  return databases().flatMap((name) => {
    const database = new DatabaseSync(path.join(dataDir, name), { readOnly: true })
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all()
    const found = tables.filter(({ name: table }) => {
      const rows = database.prepare(`select * from "${String(table)}"`).all()
      return isOfPayer(JSON.stringify(rows, (_, value: unknown) => shownBytes(value)))
    })
    database.close()
    return found.map(({ name: table }) => `${name} ${String(table)}`)
  })
}

function shownBytes(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value
}

/** Every file that contains the payer, after its write-ahead log is written back. */
function filesWithPayer(): readonly string[] {
  for (const name of databases()) {
    const database = new DatabaseSync(path.join(dataDir, name))
    database.exec('pragma wal_checkpoint(truncate)')
    database.close()
  }
  return files().filter((name) => isOfPayer(readFileSync(path.join(dataDir, name), 'latin1')))
}

const byCanary = (order: CreateTransactionRequest): CreateTransactionRequest => ({
  ...order,
  payer: { ...order.payer, ...PAYER },
})

it(
  'a payer who is erased is in no table and in no byte of any file',
  { timeout: 40_000 },
  async () => {
    const running = await startCofre(
      configOf(),
      ['vault', 'sandbox', 'worker'],
      openLog(configOf()),
    )
    try {
      const { id, secret } = devStore(configOf())
      const shop = { baseUrl: SANDBOX, storeId: id, secret: secret.reveal(), retryBudgetMs: 0 }
      const client = createMerchantClient(shop)
      const card = await client.createTransaction(byCanary(cardPurchase('order-card')))
      const pix = await client.createTransaction(byCanary(pixPurchase('order-pix')))
      const boleto = await client.createTransaction(byCanary(boletoPurchase('order-boleto')))
      await expect(client.createTransaction(byCanary(pixPurchase('order-pix')))).rejects.toThrow()
      for (const { transaction } of [pix, boleto]) await cofre(`sandbox expire ${transaction.code}`)
      await cofre(`sandbox pay ${card.transaction.code}`)
      await vi.waitFor(() => {
        expect(tablesWithPayer()).toEqual(
          expect.arrayContaining([
            expect.stringMatching(/ transactions$/),
            expect.stringMatching(/ requests$/),
            expect.stringMatching(/ payment_terms$/),
          ]),
        )
      }, 10_000)
      await cofre('sandbox advance 40d --yes')
    } finally {
      // Two connections in one process would wait for each other.
      await running.close()
    }
    await cofre(`payer erase ${EMAIL} --sandbox --yes`)
    await cofre(`payer erase ${DOCUMENT} --sandbox --yes`)
    expect(tablesWithPayer()).toEqual([])
    expect(databases()).toHaveLength(4)
    expect(filesWithPayer()).toEqual([])
  },
)
