import type { Kysely } from 'kysely'
import type { VaultTables } from '../vault-tables.js'
import type { DirectTokenStore } from './direct-token-store.js'

export function createDirectTokenStore(unit: Kysely<VaultTables>): DirectTokenStore {
  return {
    async find(digest) {
      const row = await unit
        .selectFrom('direct_tokens')
        .selectAll()
        .where('digest', '=', digest)
        .executeTakeFirst()
      return (
        row && { digest, sealedCard: row.sealed_card ?? undefined, expiresAtMs: row.expires_at_ms }
      )
    },

    async countLive(nowMs) {
      const { live } = await unit
        .selectFrom('direct_tokens')
        .select(({ fn }) => fn.countAll<number>().as('live'))
        .where('expires_at_ms', '>', nowMs)
        .where('sealed_card', 'is not', null)
        .executeTakeFirstOrThrow()
      return live
    },

    async insert({ digest, sealedCard, expiresAtMs }) {
      await unit
        .insertInto('direct_tokens')
        .values({ digest, sealed_card: sealedCard ?? null, expires_at_ms: expiresAtMs })
        .execute()
    },

    async spend(digest) {
      const { numUpdatedRows } = await unit
        .updateTable('direct_tokens')
        .set({ sealed_card: null })
        .where('digest', '=', digest)
        .where('sealed_card', 'is not', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async eraseExpired(nowMs) {
      const { numDeletedRows } = await unit
        .deleteFrom('direct_tokens')
        .where('expires_at_ms', '<=', nowMs)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
