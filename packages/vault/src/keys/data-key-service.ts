import { createSecretKey, randomBytes } from 'node:crypto'
import { type Clock, Secret } from '@cofre/contracts'
import type { VaultStore } from '../vault-store.js'
import {
  type DataKeyScope,
  HOURLY_KEY_LIFETIME_MS,
  type HourlyPurpose,
  type WrappedDataKey,
  hourlyScope,
} from './data-key.js'
import type { KeyEncryption } from './key-encryption.js'
import {
  type SealContext,
  SealError,
  type SealedText,
  type SealingKey,
  sealedBy,
} from './sealed-value.js'

const DATA_KEY_BYTES = 32
const DATA_KEY_ID_BYTES = 8

export interface DataKeyDeps {
  readonly store: VaultStore
  readonly keys: KeyEncryption
  readonly clock: Clock
}

export interface DataKeys {
  /** The data key of a scope, created when absent. Never called inside a unit of work: it may run one. */
  of(scope: DataKeyScope): Promise<SealingKey>
  /** The data key of this hour, to seal with: see {@link HourlyPurpose}. */
  ofThisHour(purpose: HourlyPurpose): Promise<SealingKey>
  /** The data key that sealed a value. @throws SealError when it is gone */
  thatSealed(sealed: SealedText): Promise<SealingKey>
  /** Erases the hourly keys that nothing needs any more. */
  eraseSpent(): Promise<void>
  /** Wraps every data key by the current key-encryption key, so that older ones may go. Returns how many it rewrapped. */
  rewrapAll(): Promise<number>
}

export function createDataKeys(deps: DataKeyDeps): DataKeys {
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
    of,
    ofThisHour: (purpose) => of(hourlyScope(purpose, deps.clock.now())),
    thatSealed: async (sealed) => byId.get(sealedBy(sealed)) ?? (await loadById(deps, sealed)),
    async eraseSpent() {
      const createdBeforeMs = deps.clock.now() - HOURLY_KEY_LIFETIME_MS
      await deps.store.transact((trx) => trx.dataKeys.eraseHourly(createdBeforeMs))
      // Also those that another process has erased. What is needed again is loaded again.
      known.clear()
      byId.clear()
    },
    rewrapAll: () => rewrapAll(deps),
  }
}

async function loadById({ store, keys }: DataKeyDeps, sealed: SealedText): Promise<SealingKey> {
  const stored = await store.reader.dataKeys.findById(sealedBy(sealed))
  if (stored === undefined) throw new SealError()
  return await unwrap(keys, stored)
}

async function loadOrCreate(deps: DataKeyDeps, scope: DataKeyScope): Promise<SealingKey> {
  const stored = await deps.store.reader.dataKeys.find(scope)
  if (stored !== undefined) return await unwrap(deps.keys, stored)
  const created = await generateDataKey(deps, scope)
  const winner = await deps.store.transact(async (trx) => {
    await trx.dataKeys.insertIfAbsent(created)
    return await trx.dataKeys.find(scope)
  })
  if (winner === undefined) throw new Error(`the data key of ${scope} was not stored`)
  return await unwrap(deps.keys, winner)
}

async function generateDataKey(
  { keys, clock }: DataKeyDeps,
  scope: DataKeyScope,
): Promise<WrappedDataKey> {
  const id = randomBytes(DATA_KEY_ID_BYTES).toString('hex')
  const wrappedKey = await keys.wrap(randomBytes(DATA_KEY_BYTES), wrappingContext({ id, scope }))
  const nowMs = clock.now()
  return { id, scope, wrappedKey, createdAtMs: nowMs, wrappedAtMs: nowMs }
}

async function unwrap(keys: KeyEncryption, stored: WrappedDataKey): Promise<SealingKey> {
  const bytes = await keys.unwrap(stored.wrappedKey, wrappingContext(stored))
  return { id: stored.id, key: new Secret(createSecretKey(bytes)) }
}

async function rewrapAll({ store, keys, clock }: DataKeyDeps): Promise<number> {
  const [current] = await keys.keyIds()
  const outdated = (await store.reader.dataKeys.all()).filter(
    ({ wrappedKey }) => sealedBy(wrappedKey) !== current,
  )
  let count = 0
  for (const stored of outdated) {
    const bytes = await keys.unwrap(stored.wrappedKey, wrappingContext(stored))
    const wrappedKey = await keys.wrap(bytes, wrappingContext(stored))
    const rewrapped = { ...stored, wrappedKey, wrappedAtMs: clock.now() }
    if (await store.transact((trx) => trx.dataKeys.rewrap(stored.wrappedKey, rewrapped))) count += 1
  }
  return count
}

/** What a wrapped data key is bound to: moved to another scope or row, it does not unwrap. */
export function wrappingContext({ id, scope }: Pick<WrappedDataKey, 'id' | 'scope'>): SealContext {
  return { purpose: 'data-key', recordId: `${scope}:${id}` }
}
