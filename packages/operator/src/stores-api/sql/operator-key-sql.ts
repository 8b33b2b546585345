// Operators' keys, in production's database.
import { type Clock, MINUTE_MS } from '@cofre/contracts'
import type { GatewayTables } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { OPERATOR_SCOPES, type OperatorKey } from '../model/operator-key.js'

/** How often the use of a key is written. */
const USE_RECORDED_EVERY_MS = MINUTE_MS

export interface OperatorKeyDeps {
  /** Production's. */
  readonly database: Database<GatewayTables>
  /** The machine's own time. */
  readonly clock: Clock
}

export type OperatorKeys = ReturnType<typeof createOperatorKeys>

export function createOperatorKeys(deps: OperatorKeyDeps) {
  const { reader } = deps.database
  return {
    ...changesOf(deps),

    /** The oldest first; ended ones too. */
    async list(): Promise<readonly OperatorKey[]> {
      const rows = reader.selectFrom('operator_keys').selectAll().orderBy('created_at')
      return (await rows.orderBy('id').execute()).map(keyOf)
    },

    /** The key, also one that has ended. */
    async find(id: string): Promise<OperatorKey | undefined> {
      const row = await reader
        .selectFrom('operator_keys')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && keyOf(row)
    },
  }
}

function changesOf({ database, clock }: OperatorKeyDeps) {
  return {
    async add(key: Omit<OperatorKey, 'createdAtMs' | 'usedAtMs'>): Promise<void> {
      const row = {
        id: key.id,
        name: key.name,
        public_key: key.publicKey,
        scopes: JSON.stringify(key.scopes),
        addresses: JSON.stringify(key.addresses),
        created_at: clock.now(),
        used_at: null,
        ends_at: key.endsAtMs ?? null,
      }
      await database.transact((trx) => trx.insertInto('operator_keys').values(row).execute())
    },

    /** Ends a key at once. False if there is no such live key. */
    async end(id: string): Promise<boolean> {
      const nowMs = clock.now()
      return await database.transact(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('operator_keys')
          .set({ ends_at: nowMs })
          .where('id', '=', id)
          .where((of) => of.or([of('ends_at', 'is', null), of('ends_at', '>', nowMs)]))
          .executeTakeFirst()
        return numUpdatedRows === 1n
      })
    },

    /** Records that a key has signed, at most once a minute. */
    async used({ id, usedAtMs = -Infinity }: OperatorKey): Promise<void> {
      const nowMs = clock.now()
      if (nowMs < usedAtMs + USE_RECORDED_EVERY_MS) return
      await database.transact((trx) =>
        trx.updateTable('operator_keys').set({ used_at: nowMs }).where('id', '=', id).execute(),
      )
    },
  }
}

function keyOf(row: GatewayTables['operator_keys']): OperatorKey {
  const scopes = textsOf(row.scopes)
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    scopes: OPERATOR_SCOPES.filter((scope) => scopes.includes(scope)),
    addresses: textsOf(row.addresses),
    createdAtMs: row.created_at,
    usedAtMs: row.used_at ?? undefined,
    endsAtMs: row.ends_at ?? undefined,
  }
}

function textsOf(json: string): readonly string[] {
  const stored: unknown = JSON.parse(json)
  return Array.isArray(stored) ? stored.map(String) : []
}
