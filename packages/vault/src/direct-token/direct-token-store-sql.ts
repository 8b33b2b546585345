import { type Connection, prepare } from '@cofre/sql'
import { lapseHorizonMs } from '../lapse.js'
import { DIRECT_TOKEN_COLUMNS, type VaultTables } from '../vault-tables.js'
import { DIRECT_TOKEN_LIFETIME_MS } from './direct-token.js'
import type { DirectTokenStore } from './direct-token-store.js'

type Db = Connection<VaultTables>

const findRow = prepare((db: Db, { digest }: { readonly digest: string }) =>
  db.selectFrom('direct_tokens').select(DIRECT_TOKEN_COLUMNS).where('digest', '=', digest),
)

const insertRow = prepare((db: Db, row: VaultTables['direct_tokens']) =>
  db.insertInto('direct_tokens').values(row),
)

export function createDirectTokenStore(trx: Db): DirectTokenStore {
  return {
    async find(digest) {
      const [row] = (await trx.run(findRow({ digest }))).rows
      return (
        row && { digest, sealedCard: row.sealed_card ?? undefined, expiresAtMs: row.expires_at_ms }
      )
    },

    async countLive(nowMs) {
      const { live } = await trx
        .selectFrom('direct_tokens')
        .select(({ fn }) => fn.countAll<number>().as('live'))
        .where('expires_at_ms', '>', nowMs)
        .where('sealed_card', 'is not', null)
        .executeTakeFirstOrThrow()
      return live
    },

    async insert({ digest, sealedCard, expiresAtMs }) {
      const row = { digest, sealed_card: sealedCard ?? null, expires_at_ms: expiresAtMs }
      await trx.run(insertRow(row))
    },

    async eraseExpired(nowMs) {
      const { numDeletedRows } = await trx
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
