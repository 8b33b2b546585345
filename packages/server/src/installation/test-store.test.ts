import process from 'node:process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ENVIRONMENTS, type Environment, Secret } from '@cofre/contracts'
import type { OperatorRoom } from '@cofre/operator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { runProgram } from '../main.js'
import { DATABASES } from './databases.js'
import { openGatewayKeys } from './keys.js'
import { copyMigrated } from './migrated.fixture.js'
import { openStores } from '@cofre/gateway/upkeep'
import { devSecretKeeper, devStore, withOneTestSecret } from './test-store.js'

type Stores = ReturnType<typeof openStores>['stores']

const NEXT = new Secret('the next secret of the test store')

describe('the test store’s secret', () => {
  let dataDir: string
  let rotated: [string, string][]
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-dev-store-'))
    rotated = []
  })
  afterEach(() => {
    rmSync(dataDir, { recursive: true })
  })

  const production = {
    backOffice: {
      rotateSecret(id: string, secret: Secret<string>) {
        rotated.push([id, secret.reveal()])
        return Promise.resolve(1)
      },
    },
  } as unknown as OperatorRoom
  const config = (fixed: { id?: string; secret?: string } = {}) => ({
    dataDir,
    devStoreId: fixed.id,
    devStoreSecret: fixed.secret === undefined ? undefined : new Secret(fixed.secret),
  })

  it('is still the new one at the next start, in production too', async () => {
    const { id } = devStore(config())
    const keeper = devSecretKeeper(config(), production)
    expect(keeper.fixedBy(id)).toBeUndefined()
    await keeper.save(id, NEXT)
    expect(devStore(config())).toMatchObject({ id })
    expect(devStore(config()).secret.reveal()).toBe(NEXT.reveal())
    expect(rotated).toEqual([[id, NEXT.reveal()]])
    const file = path.join(dataDir, 'test-store.json')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ id, secret: NEXT.reveal() })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
  })

  it('is kept for a store whose id the environment names', async () => {
    await devSecretKeeper(config({ id: 'mine' }), production).save('mine', NEXT)
    const store = devStore(config({ id: 'mine' }))
    expect([store.id, store.secret.reveal()]).toEqual(['mine', NEXT.reveal()])
  })

  it.each([
    ['store rotate', ''],
    ['store-key rotate', ' first'],
  ])('is rotated by %s in both environments, and for the next start', async (command, key) => {
    copyMigrated(dataDir)
    const config = (environ = {}) => readConfig({ COFRE_DATA_DIR: dataDir, ...environ }, 'dev')
    let output = ''
    const cofre = (line: string, environ = {}) =>
      runProgram(line.split(' '), {
        clock: Date,
        config: () => config(environ),
        print: (text) => (output = text),
        warn: () => undefined,
        fail: () => undefined,
      })
    const { id } = devStore(config())
    for (const sandbox of ['', ' --sandbox']) await cofre(`store create ${id}${sandbox}`)
    await cofre(`${command} ${id}${key} --sandbox --json`)
    const { secret } = JSON.parse(output) as { secret: string }
    expect(devStore(config()).secret.reveal()).toBe(secret)
    const keys = await openGatewayKeys(config())
    for (const environment of ENVIRONMENTS) {
      const found = await DATABASES[environment].use(config(), (database) =>
        openStores({ environment, database, keys, clock: Date }).stores.find(id),
      )
      expect([environment, found?.secret.reveal()]).toEqual([environment, secret])
    }
    const fixed = { COFRE_DEV_STORE_ID: id, COFRE_DEV_STORE_SECRET: 'x'.repeat(40) }
    await expect(cofre(`${command} ${id}${key}`, fixed)).rejects.toThrow(
      'COFRE_DEV_STORE_SECRET sets the secret',
    )
  })

  it('is rotated by the stores API in both environments, and for the next start', async () => {
    copyMigrated(dataDir)
    const config = (environ = {}) => readConfig({ COFRE_DATA_DIR: dataDir, ...environ }, 'dev')
    const keys = await openGatewayKeys(config())
    const { id, ...store } = devStore(config())
    const inBoth = <Result>(use: (stores: Record<Environment, Stores>) => Promise<Result>) =>
      DATABASES.production.use(config(), (production) =>
        DATABASES.sandbox.use(config(), (sandbox) => {
          const storesOf = (environment: Environment, database: typeof production) =>
            openStores({ environment, database, keys, clock: Date }).stores
          return use({
            production: storesOf('production', production),
            sandbox: storesOf('sandbox', sandbox),
          })
        }),
      )
    await inBoth(async (stores) => {
      const secretsOf = async () => {
        const found = ENVIRONMENTS.map(async (one) => (await stores[one].find(id))?.secret.reveal())
        return [devStore(config()).secret.reveal(), ...(await Promise.all(found))]
      }
      for (const one of ENVIRONMENTS) await stores[one].ensure({ id, ...store })
      const rotation = { previousUntilMs: 0, actor: 'operator-key:op-1' } as const
      const { sandbox } = withOneTestSecret(config(), stores)
      expect(await sandbox.rotateSecret(id, NEXT, { ...rotation, keyId: 'first' })).toBe(true)
      // The next start.
      for (const one of ENVIRONMENTS) await stores[one].ensure(devStore(config()))
      expect(await secretsOf()).toEqual(Array<string>(3).fill(NEXT.reveal()))
      const another = new Secret('the secret of another key of it')
      expect(await sandbox.rotateSecret(id, another, { ...rotation, keyId: 'k-1' })).toBe(false)
      expect(await secretsOf()).toEqual(Array<string>(3).fill(NEXT.reveal()))
      const fixed = config({ COFRE_DEV_STORE_ID: id, COFRE_DEV_STORE_SECRET: 'x'.repeat(40) })
      await expect(
        withOneTestSecret(fixed, stores).production.rotateSecret(id, NEXT, rotation),
      ).rejects.toMatchObject({ failures: [{ name: 'store_secret_fixed' }] })
    })
  })

  it('is fixed when the environment sets it', () => {
    const keeper = devSecretKeeper(config({ id: 'mine', secret: 'x' }), production)
    expect(keeper.fixedBy('mine')).toBe('COFRE_DEV_STORE_SECRET')
    expect(keeper.fixedBy('another')).toBeUndefined()
  })

  it('is no business of another store’s', async () => {
    const before = devStore(config()).secret.reveal()
    await devSecretKeeper(config(), production).save('another', NEXT)
    expect(devStore(config()).secret.reveal()).toBe(before)
    expect(rotated).toEqual([])
  })
})
