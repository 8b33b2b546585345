import { randomBytes } from 'node:crypto'
import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createVault } from '../create-vault.js'
import { createServiceRoutes } from '../http/service-routes.js'
import { testNotices } from '../notice/notices.fixture.js'
import {
  ACCOUNT,
  CODE,
  PAYMENT,
  TestBooks,
  addAccount,
  replayingAcquirer,
  storeCharge,
} from '../refund/charged.fixture.js'
import { openTestVault } from '../vault.fixture.js'
import { openServiceNetwork } from './service-network.fixture.js'
import { parseServiceKeys } from './service-key.js'
import { createVaultClient } from './vault-client.js'

const KEYS = parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)

it('a gateway elsewhere refunds, receives changes and acknowledges them', async () => {
  const test = await openTestVault(TEST_SQLITE)
  const books = new TestBooks()
  const vault = createVault({
    ...test.deps,
    connectionOf: () =>
      Promise.resolve({ acquirer: replayingAcquirer(books), notices: testNotices }),
  })
  await addAccount(test.deps)
  await storeCharge(test.database)
  const network = await openServiceNetwork(() =>
    createServiceRoutes(vault, { ...test, keys: KEYS }),
  )
  const client = createVaultClient({ url: network.url, keys: KEYS, clock: test.clock })
  onTestFinished(async () => {
    client.close()
    await network.close()
    await test.database.close()
  })
  const key = { environment: 'production', transactionCode: CODE } as const
  const order = { ...key, merchantId: 'store-1', refundId: '7', amountMinor: minorUnits(3000) }
  expect(await client.refund(order)).toEqual({ kind: 'in_process' })
  const event = {
    id: 'REFUND:RETURN7',
    change: 'refunded',
    reference: 'testr7',
    paymentId: PAYMENT,
    returnId: 'RETURN7',
    amountMinor: minorUnits(3000),
    atMs: 1,
    detail: undefined,
  } as const
  await vault.acceptNotice(ACCOUNT, { events: [event] })
  const changes = await client.changes('production')
  expect(changes).toMatchObject([
    {
      transactionCode: CODE,
      change: { kind: 'refund_ended', refundId: '7', outcome: 'PROCESSED' },
    },
  ])
  expect(await client.changes('sandbox')).toEqual([])
  const ids = changes.map(({ id }) => id)
  // The acknowledgement is lost, so the change comes again.
  const { interfere } = network
  network.interfere = () => Promise.resolve('cut')
  await expect(client.acknowledge('production', ids)).rejects.toThrow()
  network.interfere = interfere
  test.clock.nowMs += MINUTE_MS
  expect(await client.changes('production')).toEqual(changes)
  await client.acknowledge('production', ids)
  test.clock.nowMs += MINUTE_MS
  expect(await client.changes('production')).toEqual([])
  expect(await client.refund(order)).toEqual({ kind: 'done' })
  const voided = { ...key, merchantId: 'store-1' }
  const atOnce = { kind: 'refused', detail: 'the charge was captured at once' }
  expect(await client.capture({ ...voided, amountMinor: minorUnits(1) })).toEqual(atOnce)
  expect(await client.voidCharge(voided)).toEqual(atOnce)
  expect(books.refunds).toHaveLength(1)
  const covered = { accountId: ACCOUNT, fromMs: 1, untilMs: 2 }
  const others = Array.from({ length: 100 }, (_, i) => ({ ...covered, accountId: `conta-${i}` }))
  await client.coverAccounts('production', [...others, covered])
  expect(await test.database.reader.selectFrom('covered_accounts').selectAll().execute()).toEqual([
    { account_id: ACCOUNT, from_ms: 1, until_ms: 2, told_at_ms: test.clock.nowMs },
  ])
})
