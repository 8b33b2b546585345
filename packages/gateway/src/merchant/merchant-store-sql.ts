import { type Clock, Secret } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import type { Kysely } from 'kysely'
import type { GatewayTables, MerchantRow } from '../database/gateway-tables.js'
import type { Merchant, PreviousSecret } from './merchant.js'
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
      await database.transact((unit) => save(unit, merchant, clock.now()))
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

async function save(unit: Kysely<GatewayTables>, merchant: Merchant, atMs: number): Promise<void> {
  const values = {
    name: merchant.name,
    secret: merchant.secret.reveal(),
    enabled: Number(merchant.enabled),
    raw_cards: Number(merchant.mayUseRawCards),
    refunds: merchant.refunds,
  }
  const previous = {
    previous_secret: merchant.previousSecret?.secret.reveal() ?? null,
    previous_until: merchant.previousSecret?.untilMs ?? null,
  }
  await unit
    .insertInto('merchants')
    .values({ id: merchant.id, created_at: atMs, ...values, ...previous })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => {
        const kept = <Column extends keyof typeof previous>(column: Column) =>
          set
            .case()
            .when('merchants.secret', '=', values.secret)
            .then(set.ref(`merchants.${column}`))
            .else(set.ref(`excluded.${column}`))
            .end()
        return {
          ...values,
          previous_secret: kept('previous_secret'),
          previous_until: kept('previous_until'),
        }
      }),
    )
    .execute()
}

function previousSecretOf(row: MerchantRow): PreviousSecret | undefined {
  return row.previous_secret === null || row.previous_until === null
    ? undefined
    : { secret: new Secret(row.previous_secret), untilMs: row.previous_until }
}
