import { Secret } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import { z } from 'zod'
import type {
  AccountMethod,
  AccountSecrets,
  AccountTest,
  ProviderAccount,
} from '../../model/account/account.js'
import type { AccountRow, GatewayTables } from '../database/gateway-tables.js'
import type { SecretWrapping } from '../merchant/secret-wrapping.js'

type Db = Connection<GatewayTables>

/** Of which store, and paid how. */
export interface Route {
  readonly merchantId: string
  readonly method: AccountMethod
}

export type AccountStore = ReturnType<typeof createSqlAccountStore>

/** The accounts of an environment. @param sealing - For the purpose `provider-account`. */
export function createSqlAccountStore(database: Database<GatewayTables>, sealing: SecretWrapping) {
  const { reader } = database
  const change = (id: string, to: (row: AccountRow) => Partial<AccountRow>) =>
    changeAccount(database, id, to)
  return {
    async find(id: string): Promise<ProviderAccount | undefined> {
      const row = await accountRows(reader).where('id', '=', id).executeTakeFirst()
      return row && openedAccount(row, sealing)
    },

    /** The accounts of one store or of all, the oldest first. */
    async list(merchantId?: string): Promise<readonly ProviderAccount[]> {
      const all = accountRows(reader).orderBy('created_at').orderBy('id')
      const wanted = merchantId === undefined ? all : all.where('merchant_id', '=', merchantId)
      return (await wanted.execute()).map((row) => openedAccount(row, sealing))
    },

    /** Adds an account, asked after the store's others; false when there is one of that id. */
    create: (account: ProviderAccount, methods: readonly AccountMethod[]): Promise<boolean> =>
      database.transact((trx) => insertAccount(trx, rowOf(account, sealing), methods)),

    /** The ids of a store's accounts for a method, in the order in which they are asked. */
    route: (route: Route): Promise<readonly string[]> => routeOf(reader, route),

    /**
     * Orders a store's accounts for a method; those not named follow as before. Returns the
     * order, or undefined when one that is named does not serve the method.
     */
    order: (route: Route, first: readonly string[]): Promise<readonly string[] | undefined> =>
      database.transact((trx) => orderRoute(trx, route, first)),

    /** The account that a new charge goes to: the first that is enabled. */
    firstEnabled: (route: Route): Promise<string | undefined> => firstEnabled(reader, route),

    /** Replaces credentials; the account stays the same. False when there is none of that id. */
    rotate: (
      id: string,
      secrets: AccountSecrets,
      certificateUntilMs: number | undefined,
    ): Promise<boolean> =>
      change(id, ({ merchant_id }) => ({
        sealed: sealing.wrap(recordOf(merchant_id, id), sealedText(secrets)),
        certificate_until: certificateUntilMs ?? null,
      })),

    disable: (id: string, atMs: number): Promise<boolean> =>
      change(id, ({ disabled_at }) => ({ disabled_at: disabled_at ?? atMs })),

    enable: (id: string): Promise<boolean> => change(id, () => ({ disabled_at: null })),

    recordTest: (id: string, { atMs, failure }: AccountTest): Promise<boolean> =>
      change(id, () => ({ tested_at: atMs, test_failure: failure ?? null })),

    /**
     * Wraps by the current key what another key wrapped; returns how many accounts.
     * @throws StoreSecretError when a key is not here
     */
    rewrap: (): Promise<number> => rewrap(database, sealing),
  }
}

async function insertAccount(
  trx: Db,
  row: AccountRow,
  methods: readonly AccountMethod[],
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('accounts')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await lockStore(trx, row.merchant_id)
  for (const method of methods) {
    const route = { merchantId: row.merchant_id, method }
    await setRoute(trx, route, [...(await routeOf(trx, route)), row.id])
  }
  return true
}

async function orderRoute(
  trx: Db,
  route: Route,
  first: readonly string[],
): Promise<readonly string[] | undefined> {
  await lockStore(trx, route.merchantId)
  const before = await routeOf(trx, route)
  if (first.some((id) => !before.includes(id))) return undefined
  const order = [...new Set([...first, ...before])]
  await setRoute(trx, route, order)
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
  const { id, merchant_id: merchantId, provider, kind, label } = row
  const sealed = sealing.unwrap(recordOf(merchantId, id), row.sealed).reveal()
  const { credentials, noticeSecret } = secretsSchema.parse(JSON.parse(sealed))
  return {
    id,
    merchantId,
    provider,
    kind,
    label,
    settings: z.record(z.string(), z.unknown()).parse(JSON.parse(row.settings)),
    secrets: { credentials: new Secret(credentials), noticeSecret: new Secret(noticeSecret) },
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

/** Those who change a store's order take turns. */
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

function changeAccount(
  database: Database<GatewayTables>,
  id: string,
  change: (row: AccountRow) => Partial<AccountRow>,
): Promise<boolean> {
  return database.transact(async (trx) => {
    const row = await accountRows(trx).where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined) return false
    await trx.updateTable('accounts').set(change(row)).where('id', '=', id).execute()
    return true
  })
}
