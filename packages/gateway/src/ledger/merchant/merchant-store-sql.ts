import { type ListPage, type ListQuery, pageOf } from '@cofre/contracts'
import { type Connection, oncePerTurn, prepare } from '@cofre/sql'
import {
  type InterestRefusal,
  type StoreInterest,
  type WantedInterest,
  withInterest,
} from '../../model/card/store-interest.js'
import {
  type Merchant,
  type MerchantSettings,
  type SettingDecision,
  type StoreActor,
  type StoreChange,
} from '../../model/merchant/merchant.js'
import type { RequestNonce } from '../../model/merchant/request-nonce.js'
import { type GatewayTables, type MerchantRow, storedSettings } from '../database/gateway-tables.js'
import { announceFields, areAnnounced, waitingFields } from './field-announcement-sql.js'
import type { MerchantStoreDeps } from './merchant-store-deps.js'
import { useNonce } from './request-nonce-sql.js'
import type { SecretWrapping } from './secret-wrapping.js'
import { withStartOrigins } from './start-origins-sql.js'
import { insertFirstKey, keysBy, setFirstSecret } from './store-key-change-sql.js'
import { type JoinedKey, keysOfMerchant, storesWithKeys } from './store-key-sql.js'
import {
  type ChangesQuery,
  differences,
  insertStoreChange,
  listStoreChanges,
} from './store-change-sql.js'

type Db = Connection<GatewayTables>

const COLUMNS = [
  ...storedSettings.columns,
  'id',
  'specification_signed_at',
] as const satisfies readonly (keyof MerchantRow)[]

type StoredMerchant = Pick<MerchantRow, (typeof COLUMNS)[number]>

/** Stores with a row for each of their keys. */
function merchantRows(db: Db, machineNowMs: number) {
  return storesWithKeys(db, machineNowMs).select(
    COLUMNS.map((column) => `merchants.${column}` as const),
  )
}

const findRows = prepare((db: Db, { id, nowMs }: { readonly id: string; readonly nowMs: number }) =>
  merchantRows(db, nowMs).where('merchants.id', '=', id),
)

export type MerchantStore = ReturnType<typeof createSqlMerchantStore>

/** The stores. Each change is recorded with its actor, in the same unit of work. */
export function createSqlMerchantStore(deps: MerchantStoreDeps) {
  return {
    ...foundBy(deps),
    ...changesBy(deps),
    ...keysBy(deps),

    /**
     * Creates the merchant of the start's configuration. An existing one gets its secret, and those
     * of its origins that no person has removed; all other settings stay.
     */
    ensure: (merchant: Merchant) =>
      deps.database.transact((trx) => ensure(trx, merchant, { ...deps, actor: 'start' })),

    /**
     * Applies a decision to the current settings, which no other change can alter meanwhile. A
     * refusal changes nothing. Returns the differences; undefined if there is no such merchant.
     */
    decide: <Refusal>(id: string, decision: SettingDecision<Refusal>, actor: StoreActor) =>
      deps.database.transact(async (trx) => {
        const row = await lockRow(trx, id)
        if (row === undefined) return undefined
        const settings = decision(storedSettings.read(row))
        if ('refused' in settings) return settings
        return { changed: await changeSettings(trx, row, { settings, change: { ...deps, actor } }) }
      }),

    /** Changes the cost of installments from a given time; undefined if there is no such store. */
    changeInterest: (id: string, wanted: WantedInterest, actor: StoreActor) =>
      deps.database.transact((trx) =>
        changeInterest(trx, id, { wanted, change: { ...deps, actor } }),
      ),

    /** The same for a request of the store's API, with a nonce unless that is recorded already. */
    changeInterestByApi: (id: string, wanted: WantedInterest, nonce: RequestNonce | undefined) =>
      deps.database.transact(async (trx) => {
        if (!(await useNonce(trx, nonce))) return 'nonce_used'
        return await changeInterest(trx, id, { wanted, change: { ...deps, actor: 'api' } })
      }),
  }
}

function foundBy({ database: { reader }, clock, secrets }: MerchantStoreDeps) {
  return {
    // Every request needs its store, and concurrent ones often need the same.
    find: oncePerTurn(async (id: string) => {
      const { rows } = await reader.run(findRows({ id, nowMs: clock.now() }))
      return merchantsOf(rows, secrets)[0]
    }),

    /** Every store, by id. */
    async list(): Promise<readonly Merchant[]> {
      return merchantsOf(await merchantRows(reader, clock.now()).execute(), secrets)
    },

    /** A page of the stores, by id. */
    async page({ after, limit }: ListQuery): Promise<ListPage<Merchant>> {
      const rows = await merchantRows(reader, clock.now())
        .where('merchants.id', 'in', (of) =>
          of
            .selectFrom('merchants as paged')
            .select('paged.id')
            .where('paged.id', '>', after ?? '')
            .orderBy('paged.id')
            .limit(limit + 1),
        )
        .execute()
      return pageOf(merchantsOf(rows, secrets), limit, ({ id }) => id)
    },

    /** The latest changes of one store or of all, the newest first. */
    listChanges: (query: ChangesQuery) => listStoreChanges(reader, query),

    /** Stores whose current card fields the vault has not received yet. */
    waitingFields: () => waitingFields(reader),
  }
}

function changesBy(deps: MerchantStoreDeps) {
  const { database } = deps
  return {
    /** Creates the merchant; false if its id is taken. */
    create: (merchant: Merchant, actor: StoreActor) =>
      database.transact((trx) => insertMerchant(trx, merchant, { ...deps, actor })),

    /**
     * Creates the merchant, or replaces the one with its id. An unchanged secret keeps the previous
     * one alive.
     */
    save: (merchant: Merchant, actor: StoreActor) =>
      database.transact((trx) => save(trx, merchant, { ...deps, actor })),

    /**
     * Changes the given settings; a disabled merchant is refused like one with a wrong signature.
     * Returns the differences; undefined if there is no such merchant.
     */
    change: (id: string, settings: Partial<MerchantSettings>, actor: StoreActor) =>
      database.transact(async (trx) => {
        const row = await lockRow(trx, id)
        return row && (await changeSettings(trx, row, { settings, change: { ...deps, actor } }))
      }),
  }
}

type Change = MerchantStoreDeps & { readonly actor: StoreActor }

/** False if its id is taken. */
async function insertMerchant(trx: Db, merchant: Merchant, change: Change): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('merchants')
    .values({
      ...storedSettings.rowOf(merchant),
      id: merchant.id,
      created_at: change.clock.now(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await insertFirstKey(trx, merchant, change)
  const settings = differences({}, merchant)
  await insertStoreChange(trx, { storeId: merchant.id, action: 'created', settings }, change)
  if (areAnnounced(merchant)) await announceFields(trx, merchant.id, change)
  return true
}

async function save(trx: Db, merchant: Merchant, change: Change): Promise<void> {
  const row = await insertOrLock(trx, merchant, change)
  if (row === undefined) return
  await setFirstSecret(trx, merchant, change)
  await changeSettings(trx, row, { settings: merchant, change })
}

async function ensure(trx: Db, merchant: Merchant, change: Change): Promise<void> {
  const row = await insertOrLock(trx, merchant, change)
  if (row === undefined) return
  await setFirstSecret(trx, merchant, change)
  const { fieldOrigins: origins } = storedSettings.read(row)
  const fieldOrigins = await withStartOrigins(trx, { merchant, origins })
  await changeSettings(trx, row, { settings: { fieldOrigins }, change })
}

/** Undefined after an insertion; otherwise the row that existed, locked. */
async function insertOrLock(
  trx: Db,
  merchant: Merchant,
  change: Change,
): Promise<StoredMerchant | undefined> {
  if (await insertMerchant(trx, merchant, change)) return undefined
  const row = await lockRow(trx, merchant.id)
  if (row === undefined) throw new Error(`the store ${merchant.id} was deleted meanwhile`)
  return row
}

/** Changes of a store take turns, so that each one knows the state before it. */
function lockRow(trx: Db, id: string): Promise<StoredMerchant | undefined> {
  return trx
    .selectFrom('merchants')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

async function changeSettings(
  trx: Db,
  row: StoredMerchant,
  { settings, change }: { readonly settings: Partial<MerchantSettings>; readonly change: Change },
): Promise<StoreChange['settings']> {
  const before = storedSettings.read(row)
  const after = { ...before, ...settings }
  const different = differences(before, after)
  if (Object.keys(different).length === 0) return different
  await trx
    .updateTable('merchants')
    .set(storedSettings.rowOf(after))
    .where('id', '=', row.id)
    .execute()
  const kept = { storeId: row.id, action: 'changed', settings: different } as const
  await insertStoreChange(trx, kept, change)
  if ('fieldOrigins' in different || 'showsBin' in different)
    await announceFields(trx, row.id, change)
  return different
}

async function changeInterest(
  trx: Db,
  id: string,
  { wanted, change }: { readonly wanted: WantedInterest; readonly change: Change },
): Promise<StoreInterest | InterestRefusal | undefined> {
  const row = await lockRow(trx, id)
  if (row === undefined) return undefined
  const before = storedSettings.read(row).interest ?? []
  const interest = withInterest(before, wanted, change.clock.now())
  if (typeof interest !== 'string')
    await changeSettings(trx, row, { settings: { interest }, change })
  return interest
}

type JoinedMerchant = StoredMerchant & JoinedKey

/** Rows of a store follow each other. */
function merchantsOf(rows: readonly JoinedMerchant[], secrets: SecretWrapping): Merchant[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofOne) => {
    const [row] = ofOne
    return row === undefined ? [] : [merchantOf(row, keysOfMerchant(row.id, ofOne, secrets))]
  })
}

function merchantOf(row: StoredMerchant, keys: ReturnType<typeof keysOfMerchant>): Merchant {
  return {
    id: row.id,
    ...storedSettings.read(row),
    ...keys,
    specificationSignedAtMs: row.specification_signed_at ?? undefined,
  }
}
