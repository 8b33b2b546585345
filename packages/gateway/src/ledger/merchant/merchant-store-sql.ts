import type { Clock, Secret } from '@cofre/contracts'
import { type Connection, type Database, oncePerTurn, prepare } from '@cofre/sql'
import {
  type GatewayTables,
  MERCHANT_COLUMNS,
  type MerchantRow,
} from '../database/gateway-tables.js'
import type {
  Merchant,
  MerchantSettings,
  PreviousSecret,
  StoreActor,
  StoreChange,
} from '../../model/merchant/merchant.js'
import type { MerchantStore } from '../../model/merchant/merchant-store.js'
import type { SecretWrapping } from './secret-wrapping.js'
import { differences, keepStoreChange, listStoreChanges } from './store-change-sql.js'

type Db = Connection<GatewayTables>

const findRow = prepare((db: Connection<GatewayTables>, { id }: { readonly id: string }) =>
  db.selectFrom('merchants').select(MERCHANT_COLUMNS).where('id', '=', id),
)

/** What the stores of merchants are made of. */
export interface MerchantStoreDeps {
  readonly database: Database<GatewayTables>
  /** The machine's own time. */
  readonly clock: Clock
  readonly secrets: SecretWrapping
}

export function createSqlMerchantStore(deps: MerchantStoreDeps): MerchantStore {
  const { database, secrets } = deps
  const { reader } = database
  return {
    // Every request asks for its store, and many at once for the same.
    find: oncePerTurn(async (id: string) => {
      const [row] = (await reader.run(findRow({ id }))).rows
      return row && merchantOf(row, secrets)
    }),

    async list() {
      const rows = await reader.selectFrom('merchants').selectAll().orderBy('id').execute()
      return rows.map((row) => merchantOf(row, secrets))
    },

    create: (merchant, actor) =>
      database.transact((trx) => insertMerchant(trx, merchant, { ...deps, actor })),

    save: (merchant, actor) => database.transact((trx) => save(trx, merchant, { ...deps, actor })),

    change: (id, settings, actor) =>
      database.transact(async (trx) => {
        const row = await lockRow(trx, id)
        return row && (await changeSettings(trx, row, { settings, change: { ...deps, actor } }))
      }),

    rotateSecret: (id, secret, { previousUntilMs, replaces, actor }) =>
      database.transact(async (trx) => {
        const row = await lockRow(trx, id)
        if (row === undefined) return false
        if (replaces !== undefined && !isReplaceable(row, replaces, deps)) return false
        await rotate(trx, row, {
          secrets: { secret: secrets.wrap(id, secret), previous_secret: row.secret },
          previousUntilMs,
          change: { ...deps, actor },
        })
        return true
      }),

    listChanges: (query) => listStoreChanges(reader, query),

    rewrapSecrets: () => rewrapSecrets(deps),
  }
}

function rowOf(merchant: Merchant, { clock, secrets }: MerchantStoreDeps): MerchantRow {
  const { id, previousSecret } = merchant
  return {
    id,
    name: merchant.name,
    secret: secrets.wrap(id, merchant.secret),
    enabled: Number(merchant.enabled),
    raw_cards: Number(merchant.mayUseRawCards),
    refunds: merchant.refunds,
    rules: merchant.rules,
    refuses_card_references: Number(merchant.refusesCardReferences),
    created_at: clock.now(),
    previous_secret: previousSecret === undefined ? null : secrets.wrap(id, previousSecret.secret),
    previous_until: previousSecret?.untilMs ?? null,
  }
}

type Change = MerchantStoreDeps & { readonly actor: StoreActor }

/** False when there is one of that id. */
async function insertMerchant(trx: Db, merchant: Merchant, change: Change): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('merchants')
    .values(rowOf(merchant, change))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  const settings = differences({}, settingsOf(merchant))
  await keepStoreChange(trx, { storeId: merchant.id, action: 'created', settings }, change)
  return true
}

async function save(trx: Db, merchant: Merchant, change: Change): Promise<void> {
  if (await insertMerchant(trx, merchant, change)) return
  const row = await lockRow(trx, merchant.id)
  if (row === undefined) throw new Error(`the store ${merchant.id} was deleted meanwhile`)
  const { secret, previous_secret, previous_until } = rowOf(merchant, change)
  if (change.secrets.read(row.id, row.secret).reveal() !== merchant.secret.reveal())
    await rotate(trx, row, {
      secrets: { secret, previous_secret },
      previousUntilMs: previous_until,
      change,
    })
  await changeSettings(trx, row, { settings: settingsOf(merchant), change })
}

/** Those who change a store take turns, so that each knows what was before. */
function lockRow(trx: Db, id: string): Promise<MerchantRow | undefined> {
  return trx
    .selectFrom('merchants')
    .select(MERCHANT_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether the row, which is locked, is that of an enabled store with this secret. */
function isReplaceable(
  row: MerchantRow,
  current: Secret<string>,
  { secrets }: MerchantStoreDeps,
): boolean {
  return row.enabled === 1 && secrets.read(row.id, row.secret).reveal() === current.reveal()
}

interface SecretChange {
  readonly secrets: Pick<MerchantRow, 'secret' | 'previous_secret'>
  readonly previousUntilMs: number | null
  readonly change: Change
}

async function rotate(
  trx: Db,
  { id: storeId }: MerchantRow,
  { secrets, previousUntilMs, change }: SecretChange,
): Promise<void> {
  await trx
    .updateTable('merchants')
    .set({ ...secrets, previous_until: previousUntilMs })
    .where('id', '=', storeId)
    .execute()
  const to = previousUntilMs === null ? null : new Date(previousUntilMs).toISOString()
  const settings = { previousSecretUntil: { to } }
  await keepStoreChange(trx, { storeId, action: 'rotated', settings }, change)
}

async function changeSettings(
  trx: Db,
  row: MerchantRow,
  { settings, change }: { readonly settings: Partial<MerchantSettings>; readonly change: Change },
): Promise<StoreChange['settings']> {
  const before = settingsOfRow(row)
  const after = { ...before, ...settings }
  const different = differences(before, after)
  if (Object.keys(different).length === 0) return different
  await trx
    .updateTable('merchants')
    .set({
      name: after.name,
      enabled: Number(after.enabled),
      raw_cards: Number(after.mayUseRawCards),
      refunds: after.refunds,
      rules: after.rules,
      refuses_card_references: Number(after.refusesCardReferences),
    })
    .where('id', '=', row.id)
    .execute()
  const kept = { storeId: row.id, action: 'changed', settings: different } as const
  await keepStoreChange(trx, kept, change)
  return different
}

function settingsOf(merchant: Merchant): MerchantSettings {
  const { name, enabled, mayUseRawCards, refunds, rules, refusesCardReferences } = merchant
  return { name, enabled, mayUseRawCards, refunds, rules, refusesCardReferences }
}

function settingsOfRow(row: MerchantRow): MerchantSettings {
  return {
    name: row.name,
    enabled: row.enabled === 1,
    mayUseRawCards: row.raw_cards === 1,
    refunds: row.refunds,
    rules: row.rules,
    refusesCardReferences: row.refuses_card_references === 1,
  }
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
    await database.transact((trx) =>
      trx
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
    ...settingsOfRow(row),
    secret: secrets.unwrap(row.id, row.secret),
    previousSecret: previousSecretOf(row, secrets),
  }
}

function previousSecretOf(row: MerchantRow, secrets: SecretWrapping): PreviousSecret | undefined {
  return row.previous_secret === null || row.previous_until === null
    ? undefined
    : { secret: secrets.unwrap(row.id, row.previous_secret), untilMs: row.previous_until }
}
