import { createSecretKey } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import { openTwiceOnPostgres } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { TEST_SECRET_KEY } from '../../gateway.fixture.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { GATEWAY_MIGRATIONS } from '../database/open-gateway-database.js'
import { withdrawLostSecrets } from '../merchant/lost-secret-sql.js'
import { type SecretKey, createSecretWrapping } from '../merchant/secret-wrapping.js'
import { createSqlKeyDigests } from './key-digest-sql.js'

const NEW: SecretKey = { id: 'new', key: new Secret(createSecretKey(Buffer.alloc(32, 2))) }

async function openTwice() {
  const [first, second] = await openTwiceOnPostgres<GatewayTables>(GATEWAY_MIGRATIONS)
  onTestFinished(async () => {
    await second.close()
    await first.close()
  })
  const digestsOf = (database: typeof first, ...keys: [SecretKey, ...SecretKey[]]) =>
    createSqlKeyDigests({
      database,
      sealing: createSecretWrapping('production', keys, 'digest-key'),
    })
  return { first, second, digestsOf }
}

it('two processes that need the first digest at once draw one key', async () => {
  const { first, second, digestsOf } = await openTwice()
  const both = [first, second].map((database) => digestsOf(database, TEST_SECRET_KEY))
  const [one, other] = await Promise.all(both.map((digests) => digests.of('store-1', 'key')))
  expect(one).toMatch(/^[\w-]{43}$/)
  expect(other).toBe(one)
  expect(await both[0]!.of('store-2', 'key')).not.toBe(one)
  expect(await both[0]!.of('store-1', 'kez')).not.toBe(one)
})

it('digests stay when the gateway’s key is changed, and their key is wrapped by the new one', async () => {
  const { first, digestsOf } = await openTwice()
  expect(await digestsOf(first, TEST_SECRET_KEY).rewrap()).toBe(0)
  const digest = await digestsOf(first, TEST_SECRET_KEY).of('store-1', 'key')
  expect(await digestsOf(first, TEST_SECRET_KEY).rewrap()).toBe(0)
  expect(await digestsOf(first, NEW, TEST_SECRET_KEY).rewrap()).toBe(1)
  expect(await digestsOf(first, NEW).of('store-1', 'key')).toBe(digest)
})

it('another key of digests is drawn once the gateway’s key is given up', async () => {
  const { first, digestsOf } = await openTwice()
  const digest = await digestsOf(first, TEST_SECRET_KEY).of('store-1', 'key')
  const digests = digestsOf(first, NEW)
  await expect(digests.of('store-1', 'key')).rejects.toThrow('gateway key')
  const at = { database: first, environment: 'production', keys: [NEW] } as const
  await withdrawLostSecrets({ ...at, clock: { now: () => 0 }, actor: 'operator:bia' })
  expect(await digests.of('store-1', 'key')).not.toBe(digest)
})
