import type { Clock } from '@cofre/contracts'
import { type Database, oncePerTurn, prepare } from '@cofre/sql'
import type { Insertable, Kysely } from 'kysely'
import {
  type GatewayTables,
  MERCHANT_COLUMNS,
  type MerchantRow,
} from '../database/gateway-tables.js'
import type { Merchant, PreviousSecret } from './merchant.js'
import type { MerchantStore } from './merchant-store.js'
import type { SecretWrapping } from './secret-wrapping.js'

const findRow = prepare((db: Kysely<GatewayTables>, { id }: { readonly id: string }) =>
  db.selectFrom('merchants').select(MERCHANT_COLUMNS).where('id', '=', id),
)

/** What the stores of merchants are made of. */
export interface MerchantStoreDeps {
  readonly database: Database<GatewayTables>
  readonly clock: Clock
  readonly secrets: SecretWrapping
}

export function createSqlMerchantStore(deps: MerchantStoreDeps): MerchantStore {
  const { database, secrets } = deps
  const { reader } = database
  return {
    // Every request asks for its store, and many at once for the same.
    find: oncePerTurn(async (id: string) => {
      const row = await findRow.first(reader, { id })
      return row && merchantOf(row, secrets)
    }),

    async list() {
      const rows = await reader.selectFrom('merchants').selectAll().orderBy('id').execute()
      return rows.map((row) => merchantOf(row, secrets))
    },

    create: (merchant) =>
      database.transact(async (unit) => {
        const { numInsertedOrUpdatedRows } = await unit
          .insertInto('merchants')
          .values(rowOf(merchant, deps))
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows === 1n
      }),

    save: (merchant) => database.transact((unit) => save(unit, merchant, deps)),

    setEnabled: (id, enabled) =>
      database.transact(async (unit) => {
        const { numUpdatedRows } = await unit
          .updateTable('merchants')
          .set({ enabled: Number(enabled) })
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),

    rotateSecret: (id, secret, previousUntilMs) =>
      database.transact(async (unit) => {
        const { numUpdatedRows } = await unit
          .updateTable('merchants')
          .set((set) => ({
            previous_secret: set.ref('secret'),
            previous_until: previousUntilMs,
            secret: secrets.wrap(id, secret),
          }))
          .where('id', '=', id)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),

    rewrapSecrets: () => rewrapSecrets(deps),
  }
}

function rowOf(merchant: Merchant, { clock, secrets }: MerchantStoreDeps): Insertable<MerchantRow> {
  const { id, previousSecret } = merchant
  return {
    id,
    name: merchant.name,
    secret: secrets.wrap(id, merchant.secret),
    enabled: Number(merchant.enabled),
    raw_cards: Number(merchant.mayUseRawCards),
    refunds: merchant.refunds,
    created_at: clock.now(),
    previous_secret: previousSecret === undefined ? null : secrets.wrap(id, previousSecret.secret),
    previous_until: previousSecret?.untilMs ?? null,
  }
}

async function save(
  unit: Kysely<GatewayTables>,
  merchant: Merchant,
  deps: MerchantStoreDeps,
): Promise<void> {
  const { created_at, ...values } = rowOf(merchant, deps)
  const kept = await findRow.first(unit, { id: merchant.id })
  const isSameSecret =
    kept !== undefined &&
    deps.secrets.read(kept.id, kept.secret).reveal() === merchant.secret.reveal()
  const previous = isSameSecret && {
    previous_secret: kept.previous_secret,
    previous_until: kept.previous_until,
  }
  await unit
    .insertInto('merchants')
    .values({ created_at, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...values, ...previous }))
    .execute()
}

/** Each secret is replaced only while it is what was read: another process may be rotating it. */
async function rewrapSecrets({ database, secrets }: MerchantStoreDeps): Promise<number> {
  const rewrapped = (id: string, text: string): string => secrets.wrap(id, secrets.read(id, text))
  let count = 0
  for (const { id, secret, previous_secret } of await database.reader
    .selectFrom('merchants')
    .select(['id', 'secret', 'previous_secret'])
    .execute()) {
    const texts = [secret, ...(previous_secret === null ? [] : [previous_secret])]
    for (const text of texts) secrets.read(id, text)
    if (!texts.some((text) => secrets.isOutdated(text))) continue
    await database.transact((unit) =>
      unit
        .updateTable('merchants')
        .set({
          secret: rewrapped(id, secret),
          previous_secret: previous_secret === null ? null : rewrapped(id, previous_secret),
        })
        .where('id', '=', id)
        .where('secret', '=', secret)
        .execute(),
    )
    count += 1
  }
  return count
}

function merchantOf(row: MerchantRow, secrets: SecretWrapping): Merchant {
  return {
    id: row.id,
    name: row.name,
    secret: secrets.unwrap(row.id, row.secret),
    enabled: row.enabled === 1,
    mayUseRawCards: row.raw_cards === 1,
    refunds: row.refunds,
    previousSecret: previousSecretOf(row, secrets),
  }
}

function previousSecretOf(row: MerchantRow, secrets: SecretWrapping): PreviousSecret | undefined {
  return row.previous_secret === null || row.previous_until === null
    ? undefined
    : { secret: secrets.unwrap(row.id, row.previous_secret), untilMs: row.previous_until }
}
