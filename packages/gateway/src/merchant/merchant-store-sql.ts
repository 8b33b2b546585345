import { type Clock, Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { GatewayTables, MerchantRow } from '../database/gateway-tables.js'
import type { PreviousSecret } from './merchant.js'
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
        previousSecret: previousSecretOf(row),
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
          .values({
            id: merchant.id,
            created_at: clock.now(),
            previous_secret: merchant.previousSecret?.secret.reveal() ?? null,
            previous_until: merchant.previousSecret?.untilMs ?? null,
            ...values,
          })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((set) => ({
              ...values,
              previous_secret: set
                .case()
                .when('merchants.secret', '=', values.secret)
                .then(set.ref('merchants.previous_secret'))
                .else(set.ref('excluded.previous_secret'))
                .end(),
              previous_until: set
                .case()
                .when('merchants.secret', '=', values.secret)
                .then(set.ref('merchants.previous_until'))
                .else(set.ref('excluded.previous_until'))
                .end(),
            })),
          )
          .execute(),
      )
    },

    rotateSecret: (id, secret, previousUntilMs) =>
      database.transact(async (unit) => {
        const { numUpdatedRows } = await unit
          .updateTable('merchants')
          .set((set) => ({
            previous_secret: set.ref('secret'),
            previous_until: previousUntilMs,
            secret: secret.reveal(),
          }))
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
  }
}

function previousSecretOf(row: MerchantRow): PreviousSecret | undefined {
  return row.previous_secret === null || row.previous_until === null
    ? undefined
    : { secret: new Secret(row.previous_secret), untilMs: row.previous_until }
}
