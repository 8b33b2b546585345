import { randomBytes } from 'node:crypto'
import { FIELD_ORIGINS_MAX } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServiceRoutes } from '../http/service-routes.js'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import { parseServiceKeys } from './service-key.js'
import { type ServiceNetwork, openServiceNetwork } from './service-network.fixture.js'
import { type VaultClient, createVaultClient } from './vault-client.js'
import { VaultAnswerError } from './vault-error.js'

const drawKeys = () => parseServiceKeys(`k1:${randomBytes(32).toString('base64url')}`)
const KEYS = drawKeys()
const SHOP = 'https://shop.example'
const ANNOUNCED = {
  environment: 'production',
  storeId: 'store-1',
  revision: 100,
  origins: [SHOP],
  showsBin: false,
} as const

describe('a gateway elsewhere sends settings of card fields', () => {
  let test: TestVault
  let network: ServiceNetwork
  let client: VaultClient
  beforeEach(async () => {
    test = await openTestVault(TEST_SQLITE)
    network = await openServiceNetwork(() =>
      createServiceRoutes(test.vault, { ...test, keys: KEYS }),
    )
    client = connect()
  })
  afterEach(async () => {
    client.close()
    await network.close()
    await test.database.close()
  })
  const connect = (keys = KEYS) => createVaultClient({ url: network.url, keys, clock: test.clock })
  const origins = async () => (await test.vault.fieldSettingsOf('store-1')).origins

  it('and learns which revision is stored', async () => {
    expect(await client.setFieldSettings(ANNOUNCED)).toBe(100)
    expect(await client.setFieldSettings({ ...ANNOUNCED, revision: 99, origins: [] })).toBe(100)
    expect(await origins()).toEqual([SHOP])
  })

  it('with as many origins as a store may have, of any length', async () => {
    const longest = Array.from(
      { length: FIELD_ORIGINS_MAX },
      (_, i) => `https://${`${'a'.repeat(60)}.`.repeat(3)}s${String(i).padStart(2, '0')}:65000`,
    )
    expect(await client.setFieldSettings({ ...ANNOUNCED, origins: longest })).toBe(100)
    expect(await origins()).toEqual(longest)
  })

  it('and sends them again when the answer was lost', async () => {
    network.interfere = async (request, deliver) => {
      await deliver(request)
      return 'cut'
    }
    await expect(client.setFieldSettings(ANNOUNCED)).rejects.toThrow(VaultAnswerError)
    network.interfere = (request, deliver) => deliver(request)
    expect(await client.setFieldSettings(ANNOUNCED)).toBe(100)
  })

  it('but not to an older vault without this call, which changes nothing else', async () => {
    network.interfere = (request, deliver) =>
      deliver({ ...request, target: request.target.replace('field-settings', 'unknown') })
    await expect(client.setFieldSettings(ANNOUNCED)).rejects.toThrow(VaultAnswerError)
    await client.ping()
    expect(await origins()).toEqual([])
  })

  it('and is refused without its key, or with settings that would change a policy', async () => {
    const stranger = connect(drawKeys())
    await expect(stranger.setFieldSettings(ANNOUNCED)).rejects.toThrow('401')
    stranger.close()
    const forged = { ...ANNOUNCED, origins: ['https://a; script-src *'] }
    await expect(client.setFieldSettings(forged)).rejects.toThrow('400')
    expect(await origins()).toEqual([])
  })
})
