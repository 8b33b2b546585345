import { createSecretKey, randomBytes } from 'node:crypto'
import { type Clock, type Environment, HOUR_MS, Secret } from '@cofre/contracts'
import type { VaultDatabase } from '../database/vault-database.js'
import type { KeyEncryption } from '../keys/key-encryption.js'
import {
  type SealContext,
  SealError,
  type SealedText,
  type SealingKey,
  sealedBy,
} from '../keys/sealed-value.js'
import {
  type DataKeyRow,
  type HOURLY_PURPOSES,
  allDataKeys,
  eraseHourlyKeys,
  findDataKey,
  insertDataKeyIfAbsent,
  rewrapDataKey,
} from './data-key-sql.js'

const DATA_KEY_BYTES = 32
const DATA_KEY_ID_BYTES = 8

export type HourlyPurpose = (typeof HOURLY_PURPOSES)[number]

/** The data that a data key protects. Each scope has one key. */
export type DataKeyScope =
  | `${HourlyPurpose}:${number}`
  | 'fingerprints'
  | 'card-declines'
  | 'audit-log'
  | `saved-cards:${Environment}:${string}`
  | `provider-accounts:${Environment}:${string}`

/**
 * After this time an hourly key no longer seals, and the sessions and tokens that it sealed have
 * expired.
 */
export const HOURLY_KEY_LIFETIME_MS: number = 2 * HOUR_MS

/** A database, and the keys of its data keys. */
export interface KeyedDatabase {
  /** From `openVaultDatabase`. The caller closes it. */
  readonly database: VaultDatabase
  /** Key-encryption keys: a key ring, a key file, or an external KMS behind the same port. */
  readonly keys: KeyEncryption
  readonly clock: Clock
}

/** The dependencies of a use case that seals or opens. */
export interface SealingDeps extends Omit<KeyedDatabase, 'keys'> {
  readonly dataKeys: DataKeys
}

export type DataKeys = ReturnType<typeof createDataKeys>

export function createDataKeys(deps: KeyedDatabase) {
  const known = new Map<DataKeyScope, Promise<SealingKey>>()
  const byId = new Map<string, SealingKey>()
  const load = async (scope: DataKeyScope): Promise<SealingKey> => {
    const key = await loadOrCreate(deps, scope)
    byId.set(key.id, key)
    return key
  }
  const of = (scope: DataKeyScope): Promise<SealingKey> => {
    const cached = known.get(scope)
    if (cached !== undefined) return cached
    const loading = load(scope)
    known.set(scope, loading)
    // A failure is not remembered: the next caller tries again.
    loading.catch(() => known.delete(scope))
    return loading
  }
  return {
    /**
     * The data key of a scope, created if absent. May begin a transaction: don't call it in one.
     */
    of,
    /** The data key of this hour, to seal with: see {@link HOURLY_PURPOSES}. */
    ofThisHour: (purpose: HourlyPurpose) =>
      of(`${purpose}:${Math.floor(deps.clock.now() / HOUR_MS)}`),
    /** The data key that sealed a value. @throws SealError if it is gone */
    async thatSealed(sealed: SealedText): Promise<SealingKey> {
      const id = sealedBy(sealed)
      const key = byId.get(id) ?? (await loadById(deps, id))
      byId.set(id, key)
      return key
    },
    /** Erases the hourly keys that are no longer needed. */
    async eraseSpent(): Promise<void> {
      const createdBeforeMs = deps.clock.now() - HOURLY_KEY_LIFETIME_MS
      await deps.database.transact((trx) => eraseHourlyKeys(trx, createdBeforeMs))
      // Including those that another process has erased. A key that is still needed is loaded
      // again.
      known.clear()
      byId.clear()
    },
    /**
     * Wraps every data key by the current key-encryption key. Returns the number of rewrapped keys.
     */
    rewrapAll: () => rewrapAll(deps),
  }
}

async function loadById({ database, keys }: KeyedDatabase, id: string): Promise<SealingKey> {
  const stored = await findDataKey(database.reader, { id })
  if (stored === undefined) throw new SealError()
  return await unwrap(keys, stored)
}

async function loadOrCreate(deps: KeyedDatabase, scope: DataKeyScope): Promise<SealingKey> {
  const stored = await findDataKey(deps.database.reader, { scope })
  if (stored !== undefined) return await unwrap(deps.keys, stored)
  const created = await generateDataKey(deps, scope)
  const winner = await deps.database.transact(async (trx) => {
    await insertDataKeyIfAbsent(trx, created)
    return await findDataKey(trx, { scope })
  })
  if (winner === undefined) throw new Error(`the data key of ${scope} was not stored`)
  return await unwrap(deps.keys, winner)
}

async function generateDataKey(
  { keys, clock }: KeyedDatabase,
  scope: DataKeyScope,
): Promise<DataKeyRow> {
  const id = randomBytes(DATA_KEY_ID_BYTES).toString('hex')
  const wrapped_key = await keys.wrap(randomBytes(DATA_KEY_BYTES), wrappingContext({ id, scope }))
  const nowMs = clock.now()
  return { id, scope, wrapped_key, created_at_ms: nowMs, wrapped_at_ms: nowMs }
}

async function unwrap(keys: KeyEncryption, stored: DataKeyRow): Promise<SealingKey> {
  const bytes = await keys.unwrap(stored.wrapped_key, wrappingContext(stored))
  return { id: stored.id, key: new Secret(createSecretKey(bytes)) }
}

async function rewrapAll({ database, keys, clock }: KeyedDatabase): Promise<number> {
  const [current] = await keys.keyIds()
  const outdated = (await allDataKeys(database.reader)).filter(
    ({ wrapped_key }) => sealedBy(wrapped_key) !== current,
  )
  let count = 0
  for (const stored of outdated) {
    const bytes = await keys.unwrap(stored.wrapped_key, wrappingContext(stored))
    const wrapped_key = await keys.wrap(bytes, wrappingContext(stored))
    const rewrapped = { ...stored, wrapped_key, wrapped_at_ms: clock.now() }
    if (await database.transact((trx) => rewrapDataKey(trx, stored.wrapped_key, rewrapped)))
      count += 1
  }
  return count
}

/** The context that a wrapped data key is bound to: in another scope or row, it does not unwrap. */
export function wrappingContext({ id, scope }: Pick<DataKeyRow, 'id' | 'scope'>): SealContext {
  return { purpose: 'data-key', recordId: `${scope}:${id}` }
}
