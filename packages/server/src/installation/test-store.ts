import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ApiError, ENVIRONMENTS, type Environment, Secret } from '@cofre/contracts'
import { FIRST_KEY, type Merchant } from '@cofre/gateway'
import type { MerchantStore } from '@cofre/gateway/upkeep'
import type { OperatorRoom } from '@cofre/operator'
import type { SecretKeeper } from '@cofre/panel'
import { isFileThere, makeFolder } from '@cofre/sql'
import { z } from 'zod'
import type { Config } from '../config/config.js'
import { SetupError } from '../config/errors.js'

const credentialsSchema = z.object({ id: z.string(), secret: z.string() })
type Credentials = z.output<typeof credentialsSchema>
type StoreConfig = Pick<Config, 'dataDir' | 'devStoreId' | 'devStoreSecret'>

/** The test store of `npm start`: from variables, or drawn once and stored in a file. */
export function devStore(config: StoreConfig): Merchant {
  const { dataDir, devStoreId, devStoreSecret } = config
  const isGiven = devStoreId !== undefined && devStoreSecret !== undefined
  const kept = isGiven ? undefined : readOrCreateCredentials(fileIn(dataDir))
  return {
    id: devStoreId ?? kept?.id ?? '',
    name: 'Test store',
    secret: devStoreSecret ?? new Secret(kept?.secret ?? ''),
    enabled: true,
    mayUseRawCards: true,
    refunds: 'full-and-partial',
    rules: 'specification',
    refusesCardReferences: false,
    // Its acquirers are simulated.
    cardChecks: 'on',
    fieldOrigins: [],
    showsBin: false,
  }
}

/** The store whose owner links sign in; undefined if such links are off. */
export function demoStoreIdOf(
  config: StoreConfig & Pick<Config, 'signsDemoOwnerIn'>,
): string | undefined {
  return config.signsDemoOwnerIn ? devStore(config).id : undefined
}

/** The known parts of the test store, without drawing one. @throws SetupError */
export function knownStore(config: StoreConfig): Partial<Pick<Merchant, 'id' | 'secret'>> {
  const { devStoreId, devStoreSecret } = config
  const file = fileIn(config.dataDir)
  const kept = isFileThere(file) ? readCredentials(file) : undefined
  return {
    ...(kept !== undefined && { id: kept.id, secret: new Secret(kept.secret) }),
    ...(devStoreId !== undefined && { id: devStoreId }),
    ...(devStoreSecret !== undefined && { secret: devStoreSecret }),
  }
}

/**
 * Stores a new secret of the test store in its file, for the next start and the demo shop. Also
 * sets it in production's gateway, because both environments share one secret.
 */
export function devSecretKeeper(
  config: StoreConfig,
  production: Pick<OperatorRoom, 'backOffice'>,
): SecretKeeper {
  const isTestStore = (storeId: string): boolean => storeId === devStore(config).id
  return {
    fixedBy: (storeId) => testStoreSecret(config, storeId).fixedBy,

    has: isTestStore,

    async save(storeId, secret) {
      if (!isTestStore(storeId)) return
      storeDevSecret(config, secret)
      await production.backOffice.rotateSecret(storeId, secret)
    },
  }
}

/**
 * The stores of both environments, of which the test store has one secret: a rotation of its first
 * key counts in both, and for the next start.
 */
export function withOneTestSecret<Stores extends Pick<MerchantStore, 'rotateSecret'>>(
  config: StoreConfig,
  stores: Readonly<Record<Environment, Stores>>,
): Readonly<Record<Environment, Stores>> {
  const rotatingIn = (environment: Environment): MerchantStore['rotateSecret'] => {
    return async (storeId, secret, rotation) => {
      const rotateIn = (one: Environment) => stores[one].rotateSecret(storeId, secret, rotation)
      const { isTestStore, fixedBy } = testStoreSecret(config, storeId)
      const isOnes = isTestStore && (rotation.keyId ?? FIRST_KEY) === FIRST_KEY
      if (isOnes && fixedBy !== undefined) throw new ApiError('store_secret_fixed')
      if (!(await rotateIn(environment))) return false
      if (!isOnes) return true
      storeDevSecret(config, secret)
      for (const other of ENVIRONMENTS) if (other !== environment) await rotateIn(other)
      return true
    }
  }
  return {
    production: { ...stores.production, rotateSecret: rotatingIn('production') },
    sandbox: { ...stores.sandbox, rotateSecret: rotatingIn('sandbox') },
  }
}

/** True if a start of `dev` creates this store, with the variable that sets its secret. */
export function testStoreSecret(config: StoreConfig, storeId: string) {
  const isTestStore = knownStore(config).id === storeId
  return {
    isTestStore,
    fixedBy:
      isTestStore && config.devStoreSecret !== undefined ? 'COFRE_DEV_STORE_SECRET' : undefined,
  }
}

/** Stores the secret that the next start of `dev` gives the test store. */
export function storeDevSecret({ dataDir }: StoreConfig, secret: Secret<string>): void {
  const file = fileIn(dataDir)
  const { id } = readOrCreateCredentials(file)
  // Replaced as a whole: a crash leaves either the old or the new secret.
  writeFileSync(`${file}.new`, fileText({ id, secret: secret.reveal() }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function fileIn(dataDir: string): string {
  return path.join(dataDir, 'test-store.json')
}

function fileText(credentials: Credentials): string {
  return `${JSON.stringify(credentials, null, 2)}\n`
}

function readOrCreateCredentials(file: string): Credentials {
  makeFolder(path.dirname(file))
  const drawn = {
    id: `store-${randomBytes(4).toString('hex')}`,
    secret: randomBytes(32).toString('base64url'),
  }
  try {
    writeFileSync(file, fileText(drawn), { flag: 'wx', mode: 0o600 })
    return drawn
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readCredentials(file)
  }
}

function readCredentials(file: string): Credentials {
  try {
    const read = credentialsSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (!read.success) throw new Error('id or secret is missing')
    return read.data
  } catch (cause) {
    throw new SetupError(
      `${file} does not hold the test store's credentials: delete it to draw new ones`,
      cause,
    )
  }
}
