import { randomBytes } from 'node:crypto'
import type { CardCheck } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { TestAccount } from '../authorization/charging.fixture.js'
import { createVault } from '../create-vault.js'
import { createServiceRoutes } from '../http/service-routes.js'
import { openTestVault } from '../vault.fixture.js'
import { openServiceNetwork } from './service-network.fixture.js'
import { parseServiceKeys } from './service-key.js'
import { createVaultClient } from './vault-client.js'

it('a gateway elsewhere has a card checked, once, though its answer is lost', async () => {
  const test = await openTestVault(TEST_SQLITE)
  const one = new TestAccount('one').withCheck()
  const vault = createVault({ ...test.deps, played: { production: one } })
  const keys = parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)
  const network = await openServiceNetwork(() => createServiceRoutes(vault, { ...test, keys }))
  const client = createVaultClient({ url: network.url, keys, clock: test.clock })
  onTestFinished(async () => {
    client.close()
    await network.close()
    await test.database.close()
  })
  const asked: CardCheck = {
    environment: 'production',
    merchantId: 'store-1',
    token: await test.deposit(),
    payer: {
      name: 'Maria da Silva',
      document: '12345678909',
      email: 'maria@example.com',
      ip: '203.0.113.7',
    },
    countedAddress: '203.0.113.7',
    saveCard: true,
  }
  const answer = await client.checkCard(asked)
  expect(answer).toMatchObject({ outcome: 'approved', savedCard: { lastFour: '1111' } })
  expect(await client.checkCard(asked)).toEqual(answer)
  expect(one.checks).toHaveLength(1)
  const { interfere } = network
  network.interfere = () => Promise.resolve('cut')
  await expect(client.checkCard(asked)).rejects.toThrow()
  network.interfere = interfere
  expect(await client.checkCard({ ...asked, token: '4111111111111111' })).toEqual({
    kind: 'refused',
    reason: 'token_invalid',
  })
})
