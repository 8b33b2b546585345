import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openGatewayDatabase } from '@cofre/gateway'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../config/config.js'
import { DATABASES } from '../../installation/databases.js'
import { runProgram } from '../../main.js'

const NOW_MS = Date.UTC(2027, 4, 21, 12)
const MARCH_MS = Date.UTC(2025, 2, 1)
/** A code of that time. */
const CODE = 5_097_600_000_007

const ORDER = {
  code: CODE,
  merchant_id: 'loja-um',
  reference: 'order-1',
  status: 'COMPLETE' as const,
  open: 0,
  payment_type: 'credit-card' as const,
  sub_type: 'visa',
  amount: 10_000,
  charged: 10_000,
  installments: 1,
  payer_email: 'maria@example.com',
  payer_document: '52998224725',
  description: 'Café',
  notification_url: 'https://shop.example/notifications',
  request: '{"payer":{"name":"Maria da Silva"}}',
  public_id: 'public-1',
  created_at: MARCH_MS,
  paid_at: MARCH_MS,
  status_changed_at: MARCH_MS,
}

it('cofre archive moves old transactions, which commands and backups still include', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-archive-'))
  onTestFinished(() => {
    rmSync(dataDir, { recursive: true })
  })
  const config = readConfig({ COFRE_DATA_DIR: dataDir }, 'dev')
  const cofre = async (line: string): Promise<string> => {
    let output = ''
    await runProgram(line.split(' '), {
      clock: { now: () => NOW_MS },
      config: () => config,
      print: (text) => (output += text),
      warn: () => undefined,
      fail: () => undefined,
    })
    return output
  }
  await expect(cofre('archive')).rejects.toThrow('There is no gateway here')
  await cofre('store create loja-um')
  const database = await DATABASES.production.open(config)
  const { public_id, reference, merchant_id } = ORDER
  const keys = { transaction_code: CODE, merchant_id, reference, public_id }
  const facts = { code: CODE, merchant_id, terms: '[["status","COMPLETE"]]', figures: '[]' }
  await database.transact(async (trx) => {
    await trx.insertInto('transaction_keys').values(keys).execute()
    await trx.insertInto('transactions').values(ORDER).execute()
  })
  expect(await cofre('archive')).toBe(
    'Archived 0 transactions from before 2025-05-31T12:00:00.000Z.\n' +
      '1 just as old stay: they have newer or open parts (a refund, a notification, a charge, a surplus), or the search has not read them yet.\n',
  )
  await database.transact((trx) => trx.insertInto('payment_facts').values(facts).execute())
  const before = [
    await cofre(`transactions show ${CODE}`),
    await cofre('payer list 529.982.247-25'),
  ]
  await expect(cofre('archive --older-than 719d')).rejects.toThrow('720d or more')
  expect(await cofre('archive --older-than 900d --json')).toMatch('"archived":0,"kept":0}')
  expect(await cofre('archive --json')).toBe(
    '{"before":"2025-05-31T12:00:00.000Z","archived":1,"kept":0}\n',
  )
  const rows = await database.reader.selectFrom('transactions').select('code').execute()
  expect(rows).toEqual([])
  await database.close()
  expect([
    await cofre(`transactions show ${CODE}`),
    await cofre('payer list 529.982.247-25'),
  ]).toEqual(before)

  await cofre(`backup ${path.join(dataDir, 'copy')}`)
  const copy = path.join(dataDir, 'copy', 'gateway.db')
  const copied = await openGatewayDatabase(`sqlite:${copy}`, 'production', [])
  const kept = await copied.reader.selectFrom('archived_transactions').select('code').execute()
  expect(kept).toEqual([{ code: CODE }])
  await copied.close()
})
