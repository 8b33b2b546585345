import { FIELD_ORIGINS_MAX } from '@cofre/contracts'
import type { Connection } from '@cofre/sql'
import type { Merchant } from '../../model/merchant/merchant.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { listStoreChanges } from './store-change-sql.js'

/** Enough for the store of the start's configuration, whose origins change rarely. */
const CHANGES_READ = 1000

interface StartedStore {
  readonly merchant: Merchant
  /** The store's present origins. */
  readonly origins: readonly string[]
}

/** The store's origins, and those of the start that no person has removed, up to 20. */
export async function withStartOrigins(
  trx: Connection<GatewayTables>,
  { merchant: { id, fieldOrigins }, origins }: StartedStore,
): Promise<readonly string[]> {
  const missing = fieldOrigins.filter((origin) => !origins.includes(origin))
  if (missing.length === 0) return origins
  const removed = await removedOrigins(trx, id)
  const added = missing.filter((origin) => !removed.has(origin))
  return [...origins, ...added].slice(0, Math.max(origins.length, FIELD_ORIGINS_MAX))
}

/** Origins that a person has removed and not added again. */
async function removedOrigins(
  trx: Connection<GatewayTables>,
  id: string,
): Promise<ReadonlySet<string>> {
  const removed = new Set<string>()
  const changes = await listStoreChanges(trx, { id, limit: CHANGES_READ })
  // By position, because the machine's clock may have been set back.
  for (const { actor, settings } of changes.toSorted((a, b) => a.position - b.position)) {
    const { from, to } = settings.fieldOrigins ?? {}
    const [before, after] = [listOf(from), listOf(to)]
    if (actor !== 'start') for (const origin of before) removed.add(origin)
    for (const origin of after) removed.delete(origin)
  }
  return removed
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}
