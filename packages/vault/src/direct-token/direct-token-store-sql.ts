import { prepare } from '@cofre/sql'
import type { Kysely } from 'kysely'
import { lapseHorizonMs } from '../lapse.js'
import { DIRECT_TOKEN_COLUMNS, type VaultTables } from '../vault-tables.js'
import { DIRECT_TOKEN_LIFETIME_MS } from './direct-token.js'
import type { DirectTokenStore } from './direct-token-store.js'

type Unit = Kysely<VaultTables>

const findRow = prepare((unit: Unit, { digest }: { readonly digest: string }) =>
  unit.selectFrom('direct_tokens').select(DIRECT_TOKEN_COLUMNS).where('digest', '=', digest),
)

const insertRow = prepare((unit: Unit, row: VaultTables['direct_tokens']) =>
  unit.insertInto('direct_tokens').values(row),
)

export function createDirectTokenStore(unit: Unit): DirectTokenStore {
  return {
    async find(digest) {
      const row = await findRow.first(unit, { digest })
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

    insert({ digest, sealedCard, expiresAtMs }) {
      const row = { digest, sealed_card: sealedCard ?? null, expires_at_ms: expiresAtMs }
      insertRow.later(unit, row)
    },

    async eraseExpired(nowMs) {
      const { numDeletedRows } = await unit
        .deleteFrom('direct_tokens')
        .where((when) =>
          when.or([
            when('expires_at_ms', '<=', nowMs),
            when('expires_at_ms', '>', lapseHorizonMs(nowMs, DIRECT_TOKEN_LIFETIME_MS)),
          ]),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
