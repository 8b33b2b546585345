import { type Clock, Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { MerchantStore } from './merchant-store.js'

export function createSqlMerchantStore(
  database: Database<GatewayTables>,
  clock: Clock,
): MerchantStore {
  return {
    async find(id) {
      const row = await database.reader
        .selectFrom('merchants')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return {
        id: row.id,
        name: row.name,
        secret: new Secret(row.secret),
        enabled: row.enabled === 1,
        mayUseRawCards: row.raw_cards === 1,
        refunds: row.refunds,
      }
    },

    async save(merchant) {
      const values = {
        name: merchant.name,
        secret: merchant.secret.reveal(),
        enabled: Number(merchant.enabled),
        raw_cards: Number(merchant.mayUseRawCards),
        refunds: merchant.refunds,
      }
      await database.transact((unit) =>
        unit
          .insertInto('merchants')
          .values({ id: merchant.id, created_at: clock.now(), ...values })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute(),
      )
    },
  }
}
