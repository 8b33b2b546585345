import { type Clock, Secret } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { z } from 'zod'
import type {
  AccountDescription,
  AccountMethod,
  AccountSecrets,
  AccountTest,
  ProviderAccount,
} from '../../model/account/account.js'
import type { StoreActor, StoreChange } from '../../model/merchant/merchant.js'
import type { AccountRow, GatewayTables } from '../database/gateway-tables.js'
import { type SecretWrapping, isWrappedSecret } from '../merchant/secret-wrapping.js'
import { keepStoreChange } from '../merchant/store-change-sql.js'

type Db = Connection<GatewayTables>

/** Of which store, and paid how. */
export interface Route {
  readonly merchantId: string
  readonly method: AccountMethod
}

/** What the accounts of an environment are made of. */
export interface AccountStoreDeps {
  readonly database: Database<GatewayTables>
  /** The machine's own time. */
  readonly clock: Clock
  /** For the purpose `provider-account`. */
  readonly sealing: SecretWrapping
}

/** What a rotation replaces. */
export type AccountRotation = Pick<ProviderAccount, 'secrets' | 'certificateUntilMs'>

export type AccountStore = ReturnType<typeof createSqlAccountStore>

/** The accounts of an environment. The log of their store keeps each change with who made it. */
export function createSqlAccountStore(deps: AccountStoreDeps) {
  return { ...foundBy(deps), ...changesBy(deps) }
}

function foundBy({ database: { reader }, sealing }: AccountStoreDeps) {
  return {
    async find(id: string): Promise<ProviderAccount | undefined> {
      const row = await accountRows(reader).where('id', '=', id).executeTakeFirst()
      return row && openedAccount(row, sealing)
    },

    /** Without its secrets, which may not open. */
    async describe(id: string): Promise<AccountDescription | undefined> {
      const row = await accountRows(reader).where('id', '=', id).executeTakeFirst()
      return row && describedAccount(row)
    },

    /** The accounts of one store or of all, the oldest first. */
    async list(merchantId?: string): Promise<readonly AccountDescription[]> {
      const all = accountRows(reader).orderBy('created_at').orderBy('id')
      const wanted = merchantId === undefined ? all : all.where('merchant_id', '=', merchantId)
      return (await wanted.execute()).map(describedAccount)
    },

    /** The ids of a store's accounts for a method, in the order in which they are asked. */
    route: (route: Route): Promise<readonly string[]> => routeOf(reader, route),

    /** The account that a new charge goes to: the first that is enabled. */
    firstEnabled: (route: Route): Promise<string | undefined> => firstEnabled(reader, route),
  }
}

function changesBy(deps: AccountStoreDeps) {
  const { clock, database, sealing } = deps
  const change = (id: string, actor: StoreActor, to: AccountChange) =>
    changeAccount({ ...deps, actor }, id, to)
  return {
    /** Adds an account, asked after the store's others; false when there is one of that id. */
    create: (
      account: ProviderAccount,
      methods: readonly AccountMethod[],
      actor: StoreActor,
    ): Promise<boolean> =>
      database.transact((trx) => insertAccount(trx, { account, methods }, { ...deps, actor })),

    /**
     * Orders a store's accounts for a method; those not named follow as before. Returns the
     * order, or undefined when one that is named does not serve the method.
     */
    order: (
      route: Route,
      first: readonly string[],
      actor: StoreActor,
    ): Promise<readonly string[] | undefined> =>
      database.transact((trx) => orderRoute(trx, { route, first }, { clock, actor })),

    /** Replaces credentials; the account stays the same. False when there is none of that id. */
    rotate: (id: string, rotation: AccountRotation, actor: StoreActor): Promise<boolean> =>
      change(id, actor, (row) => rotated(row, rotation, sealing)),

    disable: (id: string, actor: StoreActor): Promise<boolean> =>
      change(id, actor, ({ disabled_at }) => ({
        action: 'account-disabled',
        columns: disabled_at === null ? { disabled_at: clock.now() } : {},
      })),

    enable: (id: string, actor: StoreActor): Promise<boolean> =>
      change(id, actor, ({ disabled_at }) => ({
        action: 'account-enabled',
        columns: disabled_at === null ? {} : { disabled_at: null },
      })),

    /** False when there is none of that id. */
    async recordTest(id: string, { atMs, failure }: AccountTest): Promise<boolean> {
      const { numUpdatedRows } = await database.transact((trx) =>
        trx
          .updateTable('accounts')
          .set({ tested_at: atMs, test_failure: failure ?? null })
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
      return numUpdatedRows === 1n
    },

    /**
     * Wraps by the current key what another key wrapped; returns how many accounts.
     * @throws StoreSecretError when a key is not here
     */
    rewrap: (): Promise<number> => rewrap(database, sealing),
  }
}

type Change = AccountStoreDeps & { readonly actor: StoreActor }

interface NewAccount {
  readonly account: ProviderAccount
  readonly methods: readonly AccountMethod[]
}

async function insertAccount(
  trx: Db,
  { account, methods }: NewAccount,
  change: Change,
): Promise<boolean> {
  const { id, merchantId, provider, kind, label } = account
  await lockStore(trx, merchantId)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('accounts')
    .values(rowOf(account, change.sealing))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  for (const method of methods) {
    const route = { merchantId, method }
    await setRoute(trx, route, [...(await routeOf(trx, route)), id])
  }
  const settings = {
    account: { to: id },
    provider: { to: provider },
    kind: { to: kind },
    label: { to: label },
    methods: { to: methods.join(', ') },
  }
  await keepStoreChange(trx, { storeId: merchantId, action: 'account-added', settings }, change)
  return true
}

async function orderRoute(
  trx: Db,
  { route, first }: { readonly route: Route; readonly first: readonly string[] },
  change: Pick<Change, 'clock' | 'actor'>,
): Promise<readonly string[] | undefined> {
  const { merchantId: storeId, method } = route
  await lockStore(trx, storeId)
  const before = await routeOf(trx, route)
  if (first.some((id) => !before.includes(id))) return undefined
  const order = [...new Set([...first, ...before])]
  const [from, to] = [before.join(', '), order.join(', ')]
  if (from === to) return order
  await setRoute(trx, route, order)
  const settings = { [method]: { from, to } }
  await keepStoreChange(trx, { storeId, action: 'accounts-ordered', settings }, change)
  return order
}

async function firstEnabled(db: Db, { merchantId, method }: Route): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_routes')
    .innerJoin('accounts', 'accounts.id', 'account_routes.account_id')
    .select('accounts.id')
    .where('account_routes.merchant_id', '=', merchantId)
    .where('account_routes.method', '=', method)
    .where('accounts.disabled_at', 'is', null)
    .orderBy('account_routes.position')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Each is replaced only while it is what was read: another process may be rotating it. */
async function rewrap(database: Database<GatewayTables>, sealing: SecretWrapping): Promise<number> {
  let count = 0
  for (const { id, merchant_id, sealed } of await accountRows(database.reader).execute()) {
    const record = recordOf(merchant_id, id)
    // Given up with a key that is lost: new credentials are to come.
    if (!isWrappedSecret(sealed)) continue
    const opened = sealing.unwrap(record, sealed)
    if (!sealing.isOutdated(sealed)) continue
    const { numUpdatedRows } = await database.transact((trx) =>
      trx
        .updateTable('accounts')
        .set({ sealed: sealing.wrap(record, opened) })
        .where('id', '=', id)
        .where('sealed', '=', sealed)
        .executeTakeFirstOrThrow(),
    )
    count += Number(numUpdatedRows)
  }
  return count
}

const secretsSchema = z.strictObject({ credentials: z.string(), noticeSecret: z.string() })

/** What a sealed text belongs to: moved to another store or account, it does not open. */
function recordOf(merchantId: string, id: string): string {
  return `${merchantId}/${id}`
}

function sealedText({ credentials, noticeSecret }: AccountSecrets): Secret<string> {
  return new Secret(
    JSON.stringify({ credentials: credentials.reveal(), noticeSecret: noticeSecret.reveal() }),
  )
}

function rowOf(account: ProviderAccount, sealing: SecretWrapping): AccountRow {
  const { id, merchantId, provider, kind, label, lastTest } = account
  return {
    id,
    merchant_id: merchantId,
    provider,
    kind,
    label,
    settings: JSON.stringify(account.settings),
    sealed: sealing.wrap(recordOf(merchantId, id), sealedText(account.secrets)),
    certificate_until: account.certificateUntilMs ?? null,
    tested_at: lastTest?.atMs ?? null,
    test_failure: lastTest?.failure ?? null,
    disabled_at: account.disabledAtMs ?? null,
    created_at: account.createdAtMs,
  }
}

function openedAccount(row: AccountRow, sealing: SecretWrapping): ProviderAccount {
  const sealed = sealing.unwrap(recordOf(row.merchant_id, row.id), row.sealed).reveal()
  const { credentials, noticeSecret } = secretsSchema.parse(JSON.parse(sealed))
  return {
    ...describedAccount(row),
    secrets: { credentials: new Secret(credentials), noticeSecret: new Secret(noticeSecret) },
  }
}

function describedAccount(row: AccountRow): AccountDescription {
  const { id, merchant_id: merchantId, provider, kind, label } = row
  return {
    id,
    merchantId,
    provider,
    kind,
    label,
    settings: z.record(z.string(), z.unknown()).parse(JSON.parse(row.settings)),
    certificateUntilMs: row.certificate_until ?? undefined,
    lastTest:
      row.tested_at === null
        ? undefined
        : { atMs: row.tested_at, failure: row.test_failure ?? undefined },
    disabledAtMs: row.disabled_at ?? undefined,
    createdAtMs: row.created_at,
  }
}

function accountRows(db: Db) {
  return db.selectFrom('accounts').selectAll()
}

/** Those who change a store or its accounts take turns. */
async function lockStore(trx: Db, merchantId: string): Promise<void> {
  await trx.selectFrom('merchants').select('id').where('id', '=', merchantId).forUpdate().execute()
}

async function routeOf(db: Db, { merchantId, method }: Route): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account_routes')
    .select('account_id')
    .where('merchant_id', '=', merchantId)
    .where('method', '=', method)
    .orderBy('position')
    .execute()
  return rows.map(({ account_id }) => account_id)
}

async function setRoute(
  trx: Db,
  { merchantId, method }: Route,
  ids: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('account_routes')
    .where('merchant_id', '=', merchantId)
    .where('method', '=', method)
    .execute()
  const rows = ids.map((id, index) => ({
    merchant_id: merchantId,
    method,
    position: index + 1,
    account_id: id,
  }))
  if (rows.length > 0) await trx.insertInto('account_routes').values(rows).execute()
}

/** What becomes of an account's row, which is locked; no columns where nothing changes. */
type AccountChange = (row: AccountRow) => {
  readonly action: StoreChange['action']
  readonly columns: Partial<AccountRow>
  readonly settings?: StoreChange['settings']
}

function rotated(
  { id, merchant_id, certificate_until }: AccountRow,
  { secrets, certificateUntilMs }: AccountRotation,
  sealing: SecretWrapping,
): ReturnType<AccountChange> {
  const dateOf = (ms: number | null): string | null =>
    ms === null ? null : new Date(ms).toISOString()
  const until = certificateUntilMs ?? null
  return {
    action: 'account-rotated',
    columns: {
      sealed: sealing.wrap(recordOf(merchant_id, id), sealedText(secrets)),
      certificate_until: until,
    },
    settings: { certificateUntil: { from: dateOf(certificate_until), to: dateOf(until) } },
  }
}

function changeAccount(change: Change, id: string, to: AccountChange): Promise<boolean> {
  return change.database.transact(async (trx) => {
    const account = accountRows(trx).where('id', '=', id)
    const found = await account.executeTakeFirst()
    if (found === undefined) return false
    const storeId = found.merchant_id
    await lockStore(trx, storeId)
    const row = await account.forUpdate().executeTakeFirstOrThrow()
    const { action, columns, settings } = to(row)
    if (Object.keys(columns).length === 0) return true
    await trx.updateTable('accounts').set(columns).where('id', '=', id).execute()
    const kept = { storeId, action, settings: { account: { to: id }, ...settings } }
    await keepStoreChange(trx, kept, change)
    return true
  })
}
