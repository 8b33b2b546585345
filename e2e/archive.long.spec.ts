// Long: kills a running `cofre archive`, on both engines.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { openGatewayDatabase } from '../packages/gateway/dist/index.js'
import { startPostgres } from '../packages/sql/test/postgres-server.js'
import { COFRE } from './cofre-process.js'

type Database = Awaited<ReturnType<typeof openGatewayDatabase>>

/** A clock some three years ahead. The codes begin in 2025: today no transaction is old enough. */
const YEARS_LATER = 'data:text/javascript,const{now}=Date;Date.now=()=>now()+1e11'
/** More than `cofre archive` can move before the kill. */
const PAYMENTS = 2000
const OLD_MS = Date.UTC(2025, 2, 1)
const FIRST_CODE = 5_097_600_000_000
const INSERTED_AT_ONCE = 500

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`a killed archive run has moved each transaction whole or not at all, on ${engine}`, async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-archive-'))
    const stop = engine === 'SQLite' ? undefined : await startPostgres()
    const server = process.env.COFRE_TEST_POSTGRES_URL ?? ''
    const url = stop === undefined ? `sqlite:${path.join(dataDir, 'gateway.db')}` : server
    const environ = {
      ...process.env,
      NODE_OPTIONS: `--import=${YEARS_LATER}`,
      COFRE_DATA_DIR: dataDir,
      ...(stop !== undefined && { COFRE_DATABASE_URL: url, COFRE_VAULT_DATABASE_URL: url }),
    }
    const archive = (): ChildProcess =>
      spawn(process.execPath, [COFRE, 'archive'], { env: environ, stdio: 'ignore' })
    const database = await openGatewayDatabase(url, 'production', [])
    await storePayments(database)

    const killed = archive()
    while ((await codesIn(database, 'archived_transactions')).length === 0) {
      expect(killed.exitCode).toBeNull()
      await pause(2)
    }
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const moved = await codesIn(database, 'archived_transactions')
    const left = await codesIn(database, 'transactions')
    expect([...moved, ...left].toSorted((one, other) => one - other)).toEqual(codes())
    expect(left.length).toBeGreaterThan(0)
    expect(await notifiedIn(database, 'notifications')).toEqual(left)

    const output = execFileSync(process.execPath, [COFRE, 'archive', '--json'], { env: environ })
    expect(JSON.parse(output.toString())).toMatchObject({ archived: left.length, kept: 0 })
    expect(await codesIn(database, 'archived_transactions')).toEqual(codes())
    expect(await notifiedIn(database, 'notifications')).toEqual([])
    await database.close()
    await stop?.()
    rmSync(dataDir, { recursive: true })
  })

function codes(): number[] {
  return Array.from({ length: PAYMENTS }, (_, i) => FIRST_CODE + i)
}

async function codesIn(
  { reader }: Database,
  table: 'transactions' | 'archived_transactions',
): Promise<number[]> {
  const rows = await reader.selectFrom(table).select('code').orderBy('code').execute()
  return rows.map(({ code }) => code)
}

async function notifiedIn({ reader }: Database, table: 'notifications'): Promise<number[]> {
  const rows = await reader
    .selectFrom(table)
    .select('transaction_code')
    .orderBy('transaction_code')
    .execute()
  return rows.map((row) => row.transaction_code)
}

/** Stores old transactions, each with a notification and a search term. */
async function storePayments(database: Database): Promise<void> {
  const store = { merchant_id: 'loja-um' }
  const all = codes()
  await database.transact(async (trx) => {
    await trx
      .insertInto('merchants')
      .values({
        id: 'loja-um',
        name: 'Loja Um',
        enabled: 1,
        raw_cards: 0,
        refunds: 'full',
        rules: 'specification',
        refuses_card_references: 0,
        field_origins: '[]',
        shows_bin: 0,
        created_at: OLD_MS,
      })
      .execute()
    for (let from = 0; from < all.length; from += INSERTED_AT_ONCE) {
      const some = all.slice(from, from + INSERTED_AT_ONCE)
      await trx.insertInto('transactions').values(some.map(payment)).execute()
      await trx.insertInto('notifications').values(some.map(notification)).execute()
      const facts = { ...store, terms: '[["status","COMPLETE"]]', figures: '[]' }
      const term = { ...store, kind: 'status' as const, term: 'COMPLETE' }
      await trx
        .insertInto('payment_facts')
        .values(some.map((code) => ({ ...facts, code })))
        .execute()
      await trx
        .insertInto('payment_terms')
        .values(some.map((code) => ({ ...term, code })))
        .execute()
    }
  })
}

function payment(code: number) {
  return {
    code,
    merchant_id: 'loja-um',
    reference: `order-${code}`,
    status: 'COMPLETE' as const,
    open: 0,
    payment_type: 'credit-card' as const,
    amount: 10_000,
    charged: 10_000,
    installments: 1,
    payer_email: 'maria@example.com',
    payer_document: '52998224725',
    description: 'Café',
    notification_url: 'https://shop.example/notifications',
    request: '{}',
    public_id: `public-${code}`,
    created_at: OLD_MS,
    paid_at: OLD_MS,
    status_changed_at: OLD_MS,
  }
}

function notification(code: number) {
  return {
    transaction_code: code,
    position: 1,
    merchant_id: 'loja-um',
    status: 'COMPLETE' as const,
    url: 'https://shop.example/notifications',
    created_at: OLD_MS,
    attempts: 1,
    next_attempt_at: OLD_MS,
    done_at: OLD_MS,
    blocked: 0,
  }
}
