import { createSecretKey, randomBytes } from 'node:crypto'
import { type Clock, Secret } from '@cofre/contracts'
import type { VaultStore } from '../vault-store.js'
import type { DataKeyScope, WrappedDataKey } from './data-key.js'
import { type KeyRing, openWithRing } from './key-ring.js'
import { type SealContext, type SealingKey, seal, sealedBy } from './sealed-value.js'

const DATA_KEY_BYTES = 32
const DATA_KEY_ID_BYTES = 8

export interface DataKeyDeps {
  readonly store: VaultStore
  readonly keys: KeyRing
  readonly clock: Clock
}

export interface DataKeys {
  /** The data key of a scope, created when absent. Never called inside a unit of work: it may run one. */
  of(scope: DataKeyScope): Promise<SealingKey>
  /** Wraps every data key by the current key-encryption key, so that older ones may go. Returns how many it rewrapped. */
  rewrapAll(): Promise<number>
}

export function createDataKeys(deps: DataKeyDeps): DataKeys {
  const known = new Map<DataKeyScope, Promise<SealingKey>>()
  return {
    of(scope) {
      const cached = known.get(scope)
      if (cached !== undefined) return cached
      const loading = loadOrCreate(deps, scope)
      known.set(scope, loading)
      // A failure is not remembered: the next caller tries again.
      loading.catch(() => known.delete(scope))
      return loading
    },
    rewrapAll: () => rewrapAll(deps),
  }
}

async function loadOrCreate(deps: DataKeyDeps, scope: DataKeyScope): Promise<SealingKey> {
  const stored = await deps.store.reader.dataKeys.find(scope)
  if (stored !== undefined) return unwrap(deps.keys, stored)
  const created = generateDataKey(deps, scope)
  const winner = await deps.store.transact(async (unit) => {
    await unit.dataKeys.insertIfAbsent(created)
    return await unit.dataKeys.find(scope)
  })
  if (winner === undefined) throw new Error(`the data key of ${scope} was not stored`)
  return unwrap(deps.keys, winner)
}

function generateDataKey({ keys, clock }: DataKeyDeps, scope: DataKeyScope): WrappedDataKey {
  const id = randomBytes(DATA_KEY_ID_BYTES).toString('hex')
  const wrappedKey = seal(keys.current, randomBytes(DATA_KEY_BYTES), contextOf({ id, scope }))
  return { id, scope, wrappedKey, createdAtMs: clock.now() }
}

function unwrap(keys: KeyRing, stored: WrappedDataKey): SealingKey {
  const bytes = openWithRing(keys, stored.wrappedKey, contextOf(stored))
  return { id: stored.id, key: new Secret(createSecretKey(bytes)) }
}

async function rewrapAll({ store, keys }: DataKeyDeps): Promise<number> {
  const outdated = (await store.reader.dataKeys.all()).filter(
    ({ wrappedKey }) => sealedBy(wrappedKey) !== keys.current.id,
  )
  let count = 0
  for (const stored of outdated) {
    const bytes = openWithRing(keys, stored.wrappedKey, contextOf(stored))
    const wrapped = seal(keys.current, bytes, contextOf(stored))
    const replaced = await store.transact((unit) =>
      unit.dataKeys.rewrap(stored.id, stored.wrappedKey, wrapped),
    )
    if (replaced) count += 1
  }
  return count
}

function contextOf({ id, scope }: Pick<WrappedDataKey, 'id' | 'scope'>): SealContext {
  return { purpose: 'data-key', recordId: `${scope}:${id}` }
}
