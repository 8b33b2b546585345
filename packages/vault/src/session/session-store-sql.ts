import { prepare } from '@cofre/sql'
import { isPast } from '@cofre/work'
import type { VaultConnection, VaultDatabase } from '../database/vault-database.js'
import type { VaultTables } from '../database/vault-tables.js'
import { SESSION_LIFETIME_MS } from './session.js'
import type { SessionStore } from './session-store.js'

const findRow = prepare((db: VaultConnection, { id }: { readonly id: string }) =>
  db.selectFrom('sessions').select(['sealed_private_key', 'expires_at_ms']).where('id', '=', id),
)

const insertRow = prepare((db: VaultConnection, row: VaultTables['sessions']) =>
  db.insertInto('sessions').values(row),
)

export const deleteSession = prepare((db: VaultConnection, { id }: { readonly id: string }) =>
  db.deleteFrom('sessions').where('id', '=', id),
)

export function createSqlSessionStore(database: VaultDatabase): SessionStore {
  return {
    areRows: true,

    async find(id) {
      const [row] = (await database.reader.run(findRow({ id }))).rows
      return row && { id, sealedPrivateKey: row.sealed_private_key, expiresAtMs: row.expires_at_ms }
    },

    async countLive(nowMs) {
      const { live } = await database.reader
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('live'))
        .where('expires_at_ms', '>', nowMs)
        .executeTakeFirstOrThrow()
      return live
    },

    async insert({ id, sealedPrivateKey, expiresAtMs }) {
      const row = { id, sealed_private_key: sealedPrivateKey, expires_at_ms: expiresAtMs }
      await database.commit({ inserted: insertRow(row) })
    },

    async erase(id) {
      const { erased } = await database.commit({ erased: deleteSession({ id }) })
      return erased.written === 1
    },

    async eraseExpired(nowMs) {
      const { numDeletedRows } = await database.transact((trx) =>
        trx
          .deleteFrom('sessions')
          .where(isPast('expires_at_ms', nowMs, SESSION_LIFETIME_MS))
          .executeTakeFirstOrThrow(),
      )
      return Number(numDeletedRows)
    },
  }
}
