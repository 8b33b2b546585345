import type { Kysely } from 'kysely'
import type { VaultTables } from '../vault-tables.js'
import type { SessionStore } from './session-store.js'

export function createSqlSessionStore(unit: Kysely<VaultTables>): SessionStore {
  return {
    async find(id) {
      const row = await unit
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return (
        row && {
          id: row.id,
          sealedPrivateKey: row.sealed_private_key,
          expiresAtMs: row.expires_at_ms,
        }
      )
    },

    async countLive(nowMs) {
      const { live } = await unit
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('live'))
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirstOrThrow()
      return live
    },

    async insert({ id, sealedPrivateKey, expiresAtMs }) {
      await unit
        .insertInto('sessions')
        .values({ id, sealed_private_key: sealedPrivateKey, expires_at_ms: expiresAtMs })
        .execute()
    },

    async erase(id) {
      const { numDeletedRows } = await unit
        .deleteFrom('sessions')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    async eraseExpired(nowMs) {
      const { numDeletedRows } = await unit
        .deleteFrom('sessions')
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
