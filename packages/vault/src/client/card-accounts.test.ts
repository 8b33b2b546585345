import { randomBytes } from 'node:crypto'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { expect, it } from 'vitest'
import { accountNamed } from '../../../provider-kit/test/describe-account-store.js'
import { createServiceRoutes } from '../http/service-routes.js'
import { openTestVault } from '../vault.fixture.js'
import { createVaultAdministration } from '../vault-administration.js'
import { parseServiceKeys } from './service-key.js'
import { openServiceNetwork } from './service-network.fixture.js'
import { createVaultClient } from './vault-client.js'

it('gives a gateway elsewhere the names of accounts, and nothing of their credentials', async () => {
  const test = await openTestVault(TEST_SQLITE)
  const keys = parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)
  const network = await openServiceNetwork(() => createServiceRoutes(test.vault, { ...test, keys }))
  const client = createVaultClient({ url: network.url, keys, clock: test.clock })
  try {
    const account = accountNamed('one', { lastTest: { atMs: 5, failure: undefined } })
    const accounts = createVaultAdministration(test.deps).accounts('production')
    await accounts.create(account, ['card'], 'start')
    const answer = await client.cardAccounts('production', account.merchantId)
    expect(answer).toMatchObject([{ id: 'one', label: 'Account one', lastTest: { atMs: 5 } }])
    expect(JSON.stringify(answer)).not.toMatch(/s3cret|n0tice|loja@example/)
    expect(await client.cardAccounts('sandbox', account.merchantId)).toEqual([])
  } finally {
    client.close()
    await network.close()
    await test.database.close()
  }
})
