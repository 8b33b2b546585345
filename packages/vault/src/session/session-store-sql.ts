import { prepare } from '@cofre/sql'
import type { Kysely } from 'kysely'
import { SESSION_COLUMNS, type VaultTables } from '../vault-tables.js'
import { lapseHorizonMs } from '../lapse.js'
import { SESSION_LIFETIME_MS } from './session.js'
import type { SessionStore } from './session-store.js'

type Unit = Kysely<VaultTables>

const findRow = prepare((unit: Unit, { id }: { readonly id: string }) =>
  unit.selectFrom('sessions').select(SESSION_COLUMNS).where('id', '=', id),
)

const insertRow = prepare((unit: Unit, row: VaultTables['sessions']) =>
  unit.insertInto('sessions').values(row),
)

const deleteRow = prepare((unit: Unit, { id }: { readonly id: string }) =>
  unit.deleteFrom('sessions').where('id', '=', id),
)

export function createSqlSessionStore(unit: Unit): SessionStore {
  return {
    async find(id) {
      const row = await findRow.first(unit, { id })
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

    insert({ id, sealedPrivateKey, expiresAtMs }) {
      const row = { id, sealed_private_key: sealedPrivateKey, expires_at_ms: expiresAtMs }
      insertRow.later(unit, row)
      return Promise.resolve()
    },

    erase: async (id) => (await deleteRow.write(unit, { id })) > 0,

    async eraseExpired(nowMs) {
      const { numDeletedRows } = await unit
        .deleteFrom('sessions')
        .where((when) =>
          when.or([
            when('expires_at_ms', '<=', nowMs),
            when('expires_at_ms', '>', lapseHorizonMs(nowMs, SESSION_LIFETIME_MS)),
          ]),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
