import { type Clock, DAY_MS, type Secret } from '@cofre/contracts'
import { type Connection, type Database, oncePerTurn, prepare } from '@cofre/sql'
import {
  type InterestRefusal,
  type StoreInterest,
  type WantedInterest,
  withInterest,
} from '../../model/card/store-interest.js'
import {
  type Merchant,
  type MerchantSettings,
  type PreviousSecret,
  type Rotation,
  type SettingDecision,
  type StoreActor,
  type StoreChange,
} from '../../model/merchant/merchant.js'
import type { RequestNonce } from '../../model/merchant/request-nonce.js'
import { type GatewayTables, type MerchantRow, storedSettings } from '../database/gateway-tables.js'
import { announceFields, areAnnounced, waitingFields } from './field-announcement-sql.js'
import { useNonce } from './request-nonce-sql.js'
import type { SecretWrapping } from './secret-wrapping.js'
import { withStartOrigins } from './start-origins-sql.js'
import {
  type ChangesQuery,
  differences,
  keepStoreChange,
  listStoreChanges,
} from './store-change-sql.js'

type Db = Connection<GatewayTables>

const COLUMNS = [
  ...storedSettings.columns,
  'id',
  'secret',
  'previous_secret',
  'previous_until',
  'specification_signed_at',
] as const satisfies readonly (keyof MerchantRow)[]

type StoredMerchant = Pick<MerchantRow, (typeof COLUMNS)[number]>

const findRow = prepare((db: Db, { id }: { readonly id: string }) =>
  db.selectFrom('merchants').select(COLUMNS).where('id', '=', id),
)

export interface MerchantStoreDeps {
  readonly database: Database<GatewayTables>
  /** The machine's own time. */
  readonly clock: Clock
  readonly secrets: SecretWrapping
}

export type MerchantStore = ReturnType<typeof createSqlMerchantStore>

/** The stores. Each change is recorded with its actor, in the same unit of work. */
export function createSqlMerchantStore(deps: MerchantStoreDeps) {
  return {
    ...foundBy(deps),
    ...changesBy(deps),

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

function foundBy({ database: { reader }, secrets }: MerchantStoreDeps) {
  return {
    // Every request needs its store, and concurrent ones often need the same.
    find: oncePerTurn(async (id: string) => {
      const [row] = (await reader.run(findRow({ id }))).rows
      return row && merchantOf(row, secrets)
    }),

    /** Every store, by id. */
    async list(): Promise<readonly Merchant[]> {
      const rows = await reader.selectFrom('merchants').selectAll().orderBy('id').execute()
      return rows.map((row) => merchantOf(row, secrets))
    },

    /** The latest changes of one store or of all, the newest first. */
    listChanges: (query: ChangesQuery) => listStoreChanges(reader, query),

    /** Stores whose current card fields the vault has not received yet. */
    waitingFields: () => waitingFields(reader),
  }
}

function changesBy(deps: MerchantStoreDeps) {
  const { database, secrets } = deps
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

    /**
     * Gives the merchant a new secret; the replaced one signs for a while. False if there is no
     * such merchant, or if it does not meet the rotation's condition.
     */
    rotateSecret: (
      id: string,
      secret: Secret<string>,
      { previousUntilMs, replaces, actor }: Rotation,
    ) =>
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

    /** Records when a store signs in the specification's form. Writes once a day. */
    signedBySpecification: (merchant: Merchant) => keepSpecificationSigned(deps, merchant),

    /**
     * Wraps with the current key each secret that is in the clear or wrapped by another key.
     * Returns the number of stores.
     * @throws StoreSecretError if a secret's key is missing
     */
    rewrapSecrets: () => rewrapSecrets(deps),
  }
}

async function keepSpecificationSigned(
  { database, clock }: MerchantStoreDeps,
  { id, specificationSignedAtMs = -DAY_MS }: Merchant,
): Promise<void> {
  const nowMs = clock.now()
  if (nowMs < specificationSignedAtMs + DAY_MS) return
  await database.transact((trx) =>
    trx
      .updateTable('merchants')
      .set({ specification_signed_at: nowMs })
      .where('id', '=', id)
      .execute(),
  )
}

/** A merchant's wrapped secrets. */
function secretsOf({ id, secret, previousSecret }: Merchant, { secrets }: MerchantStoreDeps) {
  return {
    secret: secrets.wrap(id, secret),
    previous_secret: previousSecret === undefined ? null : secrets.wrap(id, previousSecret.secret),
    previous_until: previousSecret?.untilMs ?? null,
  }
}

type Change = MerchantStoreDeps & { readonly actor: StoreActor }

/** False if its id is taken. */
async function insertMerchant(trx: Db, merchant: Merchant, change: Change): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('merchants')
    .values({
      ...storedSettings.rowOf(merchant),
      ...secretsOf(merchant, change),
      id: merchant.id,
      created_at: change.clock.now(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  const settings = differences({}, merchant)
  await keepStoreChange(trx, { storeId: merchant.id, action: 'created', settings }, change)
  if (areAnnounced(merchant)) await announceFields(trx, merchant.id, change)
  return true
}

async function save(trx: Db, merchant: Merchant, change: Change): Promise<void> {
  const row = await insertOrLock(trx, merchant, change)
  if (row === undefined) return
  await setSecret(trx, row, { merchant, change })
  await changeSettings(trx, row, { settings: merchant, change })
}

async function ensure(trx: Db, merchant: Merchant, change: Change): Promise<void> {
  const row = await insertOrLock(trx, merchant, change)
  if (row === undefined) return
  await setSecret(trx, row, { merchant, change })
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

/** An unchanged secret keeps the previous one alive. */
async function setSecret(
  trx: Db,
  row: StoredMerchant,
  { merchant, change }: { readonly merchant: Merchant; readonly change: Change },
): Promise<void> {
  const { secret, previous_secret, previous_until } = secretsOf(merchant, change)
  if (change.secrets.read(row.id, row.secret).reveal() !== merchant.secret.reveal())
    await rotate(trx, row, {
      secrets: { secret, previous_secret },
      previousUntilMs: previous_until,
      change,
    })
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

/** True if the locked row belongs to an enabled store with this secret. */
function isReplaceable(
  row: StoredMerchant,
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
  { id: storeId }: StoredMerchant,
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
  await keepStoreChange(trx, kept, change)
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

/** Replaces only what is unchanged since it was read: another process may rotate the secret. */
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

function merchantOf(row: StoredMerchant, secrets: SecretWrapping): Merchant {
  return {
    id: row.id,
    ...storedSettings.read(row),
    secret: secrets.unwrap(row.id, row.secret),
    previousSecret: previousSecretOf(row, secrets),
    specificationSignedAtMs: row.specification_signed_at ?? undefined,
  }
}

function previousSecretOf(
  row: StoredMerchant,
  secrets: SecretWrapping,
): PreviousSecret | undefined {
  return row.previous_secret === null || row.previous_until === null
    ? undefined
    : { secret: secrets.unwrap(row.id, row.previous_secret), untilMs: row.previous_until }
}
