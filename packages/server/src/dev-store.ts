import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Secret } from '@cofre/contracts'
import type { Merchant } from '@cofre/gateway'
import type { Config } from './config/config.js'
import { SetupError } from './setup-error.js'

interface Credentials {
  readonly id: string
  readonly secret: string
}

/** The test store of `npm start`: from the environment, or drawn once and kept in the data directory. */
export function devStore(config: StoreConfig): Merchant {
  const { id, secret } = storeCredentials(config)
  return {
    id,
    name: 'Test store',
    secret,
    enabled: true,
    mayUseRawCards: true,
    refunds: 'full-and-partial',
  }
}

type StoreConfig = Pick<Config, 'dataDir' | 'devStoreId' | 'devStoreSecret'>

function storeCredentials(config: StoreConfig): Pick<Merchant, 'id' | 'secret'> {
  const { dataDir, devStoreId, devStoreSecret } = config
  if (devStoreId !== undefined && devStoreSecret !== undefined) {
    return { id: devStoreId, secret: devStoreSecret }
  }
  const kept = keptCredentials(path.join(dataDir, 'test-store.json'))
  return { id: devStoreId ?? kept.id, secret: devStoreSecret ?? new Secret(kept.secret) }
}

function keptCredentials(file: string): Credentials {
  mkdirSync(path.dirname(file), { recursive: true })
  try {
    const drawn = {
      id: `store-${randomBytes(4).toString('hex')}`,
      secret: randomBytes(32).toString('base64url'),
    }
    writeFileSync(file, `${JSON.stringify(drawn, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
    return drawn
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readCredentials(file)
  }
}

function readCredentials(file: string): Credentials {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof kept !== 'object' || kept === null || !('id' in kept) || !('secret' in kept)) {
      throw new Error('id or secret is missing')
    }
    return { id: String(kept.id), secret: String(kept.secret) }
  } catch (cause) {
    throw new SetupError(
      `${file} does not hold the test store's credentials: delete it to draw new ones`,
      cause,
    )
  }
}
