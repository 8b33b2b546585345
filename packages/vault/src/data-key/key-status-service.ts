import type { KeyEncryption } from '../keys/key-encryption.js'
import { KeyRingError } from '../keys/key-ring.js'
import { SealError, sealedBy } from '../keys/sealed-value.js'
import { type DataKeys, type KeyedDatabase, wrappingContext } from './data-key-service.js'
import { type DataKeyRow, allDataKeys } from './data-key-sql.js'

type KeyStatusDeps = Omit<KeyedDatabase, 'clock'>

/** A key-encryption key, without the key. */
export interface KeyStatus {
  readonly id: string
  /**
   * `current` wraps and unwraps, `older` only unwraps; `missing` wraps data keys that cannot be
   * unwrapped now.
   */
  readonly state: 'current' | 'older' | 'missing'
  /** The number of data keys that it wraps. */
  readonly dataKeys: number
  /** The time since which it has wrapped one of these; undefined if it wraps none. */
  readonly inUseSinceMs: number | undefined
}

export async function keyStatus({ database, keys }: KeyStatusDeps): Promise<readonly KeyStatus[]> {
  const [current, ...older] = await keys.keyIds()
  const wrapped = groupByKey(await allDataKeys(database.reader))
  const missing = [...wrapped.keys()].filter((id) => id !== current && !older.includes(id))
  const status = (id: string, state: KeyStatus['state']): KeyStatus => {
    const dataKeys = wrapped.get(id) ?? []
    const times = dataKeys.map(({ wrapped_at_ms }) => wrapped_at_ms)
    const inUseSinceMs = times.length > 0 ? Math.min(...times) : undefined
    return { id, state, dataKeys: dataKeys.length, inUseSinceMs }
  }
  return [
    status(current, 'current'),
    ...older.map((id) => status(id, 'older')),
    ...missing.map((id) => status(id, 'missing')),
  ]
}

/** Unwraps one data key of each key-encryption key, to find a wrong key before a payment does. */
export async function checkKeys({ database, keys }: KeyStatusDeps): Promise<void> {
  const present = await keys.keyIds()
  for (const [id, samples] of groupByKey(await allDataKeys(database.reader))) {
    if (!present.includes(id))
      throw new KeyRingError(
        `the vault's database needs the key-encryption key ${id}, and only ${present.join(', ')} is there: restore it from its backup`,
      )
    const [sample] = samples
    if (sample !== undefined && !(await opens(keys, sample)))
      throw new KeyRingError(
        `the key-encryption key ${id} does not open what the key of this name has wrapped: it is another key, or the database was changed`,
      )
  }
}

/**
 * The scopes of damaged data keys: they do not open, although the key that wrapped them is there.
 */
export async function unopenedDataKeys({
  database,
  keys,
}: KeyStatusDeps): Promise<readonly string[]> {
  const present = await keys.keyIds()
  const unopened: string[] = []
  for (const stored of await allDataKeys(database.reader)) {
    const hasItsKey = present.includes(sealedBy(stored.wrapped_key))
    if (hasItsKey && !(await opens(keys, stored))) unopened.push(stored.scope)
  }
  return unopened
}

/** Checks the keys, and stores a data key that they wrap: later, other keys are refused. */
export async function claimKeys(deps: KeyStatusDeps, dataKeys: DataKeys): Promise<void> {
  await checkKeys(deps)
  try {
    await dataKeys.of('audit-log')
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    // Another process was first, with other keys.
    await checkKeys(deps)
    throw error
  }
}

async function opens(keys: KeyEncryption, stored: DataKeyRow): Promise<boolean> {
  try {
    await keys.unwrap(stored.wrapped_key, wrappingContext(stored))
    return true
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    return false
  }
}

function groupByKey(all: readonly DataKeyRow[]): Map<string, DataKeyRow[]> {
  return Map.groupBy(all, ({ wrapped_key }) => sealedBy(wrapped_key))
}
