import { type Clock, type Environment, Secret } from '@cofre/contracts'
import { type Connection, type Database, namedLock, prepare } from '@cofre/sql'
import { z } from 'zod'
import type {
  AccountActor,
  AccountChange,
  AccountDescription,
  AccountMethod,
  AccountRotation,
  AccountSecrets,
  AccountTest,
  OrderChange,
  ProviderAccount,
  Route,
  RoutedCharge,
} from './account.js'
import {
  type AccountScope,
  type AccountsByCharge,
  orderRoute,
  orderedIds,
  orders,
  placeAccount,
  accountsByCharge,
  routedIds,
} from './account-route-sql.js'
import { ACCOUNT_COLUMNS, type AccountRow, type AccountTables } from './account-tables.js'
import { isTrial, refuseTrial } from './trial-mark-sql.js'

type Db = Connection<AccountTables>

/** The owner of a sealed text: with another store or account, it does not open. */
export type SealedFor = Pick<ProviderAccount, 'id' | 'merchantId'>

/** Seals the secrets of an environment's accounts. */
export interface AccountSealing {
  seal(account: SealedFor, text: Secret<string>): Promise<string>
  open(account: SealedFor, sealed: string): Promise<Secret<string>>
}

export interface AccountStoreDeps {
  readonly database: Database<AccountTables>
  readonly environment: Environment
  /** The machine's own clock. */
  readonly clock: Clock
  readonly sealing: AccountSealing
  /** Appends to the holder's log, in the unit of work of the change. */
  readonly keepChange: (trx: Db, change: AccountChange, actor: AccountActor) => Promise<void>
}

export type AccountStore = ReturnType<typeof createSqlAccountStore>

/** The accounts of an environment. A log records each change and its author. */
export function createSqlAccountStore(deps: AccountStoreDeps) {
  return { ...foundBy(deps), ...placesBy(deps), ...changesBy(deps) }
}

const findRow = prepare((db: Db, { id }: { readonly id: string }) =>
  db.selectFrom('accounts').select(ACCOUNT_COLUMNS).where('id', '=', id),
)

/** Reads accounts with their secrets, in any environment. */
export interface AccountReader {
  find(id: string): Promise<ProviderAccount | undefined>
  /** Opens an account found among those of a charge. */
  open(row: AccountRow): Promise<ProviderAccount>
}

/** Opens secrets once, and again after any process has changed them. */
export function createAccountReader(
  { reader }: AccountStoreDeps['database'],
  sealingIn: (environment: Environment) => AccountSealing,
): AccountReader {
  const opened = new Map<string, { readonly row: AccountRow; readonly secrets: AccountSecrets }>()
  const open = async (row: AccountRow): Promise<ProviderAccount> => {
    const before = opened.get(row.id)
    if (before !== undefined && isSealedAlike(before.row, row))
      return { ...describedAccount(row), secrets: before.secrets }
    const account = await openedAccount(row, sealingIn(row.environment))
    opened.set(row.id, { row, secrets: account.secrets })
    return account
  }
  return {
    async find(id) {
      const [row] = (await reader.run(findRow({ id }))).rows
      return row && (await open(row))
    },
    open,
  }
}

function isSealedAlike(one: AccountRow, other: AccountRow): boolean {
  const isSameStore = one.merchant_id === other.merchant_id
  return one.sealed === other.sealed && isSameStore && one.environment === other.environment
}

function foundBy({ database: { reader }, environment, sealing }: AccountStoreDeps) {
  const scope = { db: reader, environment }
  const all = accountRows(scope)
  return {
    async find(id: string): Promise<ProviderAccount | undefined> {
      const row = await all.where('id', '=', id).executeTakeFirst()
      return row && (await openedAccount(row, sealing))
    },

    /** The account without its secrets, as those may not open. */
    async describe(id: string): Promise<AccountDescription | undefined> {
      const row = await all.where('id', '=', id).executeTakeFirst()
      return row && describedAccount(row)
    },

    /** The accounts of one store or of all, the oldest first. */
    async list(merchantId?: string): Promise<readonly AccountDescription[]> {
      const wanted = merchantId === undefined ? all : all.where('merchant_id', '=', merchantId)
      const rows = await wanted.orderBy('created_at').orderBy('id').execute()
      return rows.map(describedAccount)
    },

    /** The ids of a store's accounts for a method, in the order of use. */
    route: (route: Pick<Route, 'merchantId' | 'method'>): Promise<readonly string[]> =>
      orderedIds(scope, route),

    /** True if the database is a trial's, which may only have simulators' accounts. */
    isTrial: (): Promise<boolean> => isTrial(reader),

    /** Every order that was set for a store's accounts, or that adding them made. */
    orders: (merchantId: string) => orders(scope, merchantId),

    /** The first account for a new charge. */
    firstEnabled: async (charge: RoutedCharge): Promise<string | undefined> =>
      (await routedIds(scope, charge))[0],

    /** The accounts for a new charge, in order. */
    enabledRoute: (charge: RoutedCharge): Promise<readonly string[]> => routedIds(scope, charge),

    /** The enabled accounts of a store by charge, with their whole rows, if it has any account. */
    byCharge: (
      route: Pick<Route, 'merchantId' | 'method'>,
    ): Promise<AccountsByCharge | undefined> => accountsByCharge(scope, route),
  }
}

function placesBy(deps: AccountStoreDeps) {
  const { database, environment, sealing } = deps
  return {
    /**
     * Adds an account after the store's others; false if the id exists.
     * @throws TrialDatabaseError for an account without a simulator, in a trial's database
     */
    async create(
      account: ProviderAccount,
      methods: readonly AccountMethod[],
      actor: AccountActor,
    ): Promise<boolean> {
      const row = rowOf(account, environment, await sealed(account, account.secrets, sealing))
      return await database.transact((trx) =>
        insertAccount(trx, { row, methods }, { ...deps, actor }),
      )
    },

    /**
     * Sets which of a store's accounts come first; the others keep their order. Returns the order,
     * or undefined if a named account neither serves the method nor is added to it. Without
     * accounts, only the other settings change; without any setting, a special order ends.
     */
    order: (
      route: OrderChange,
      first: readonly string[],
      actor: AccountActor,
    ): Promise<readonly string[] | undefined> =>
      database.transact(async (trx) => {
        const scope = { db: trx, environment }
        await lockStore(scope, route.merchantId)
        const { order, change } = await orderRoute(scope, route, first)
        if (change !== undefined) await deps.keepChange(trx, change, actor)
        return order
      }),
  }
}

function changesBy(deps: AccountStoreDeps) {
  const { clock, database, environment, sealing } = deps
  const change = (id: string, actor: AccountActor, to: RowChange) =>
    changeAccount({ ...deps, actor }, id, to)
  return {
    /** Replaces credentials of the same account. False if there is none of that id. */
    async rotate(id: string, rotation: AccountRotation, actor: AccountActor): Promise<boolean> {
      const row = await accountRows({ db: database.reader, environment })
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return false
      const account = { id, merchantId: row.merchant_id }
      const text = await sealed(account, rotation.secrets, sealing)
      return await change(id, actor, (row) => rotated(row, rotation, text))
    },

    /** Changes the label. False if there is no account of that id. */
    rename: (id: string, label: string, actor: AccountActor): Promise<boolean> =>
      change(id, actor, (row) => ({
        action: 'account-renamed',
        columns: row.label === label ? {} : { label },
        settings: { label: { from: row.label, to: label } },
      })),

    disable: (id: string, actor: AccountActor): Promise<boolean> =>
      change(id, actor, ({ disabled_at }) => ({
        action: 'account-disabled',
        columns: disabled_at === null ? { disabled_at: clock.now() } : {},
      })),

    enable: (id: string, actor: AccountActor): Promise<boolean> =>
      change(id, actor, ({ disabled_at }) => ({
        action: 'account-enabled',
        columns: disabled_at === null ? {} : { disabled_at: null },
      })),

    /** False if there is no account of that id. */
    async recordTest(id: string, { atMs, failure }: AccountTest): Promise<boolean> {
      const { numUpdatedRows } = await database.transact((trx) =>
        trx
          .updateTable('accounts')
          .set({ tested_at: atMs, test_failure: failure ?? null })
          .where('environment', '=', environment)
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
      return numUpdatedRows === 1n
    },
  }
}

type Change = AccountStoreDeps & { readonly actor: AccountActor }

interface NewAccount {
  readonly row: AccountRow
  readonly methods: readonly AccountMethod[]
}

async function insertAccount(
  trx: Db,
  { row, methods }: NewAccount,
  { environment, keepChange, actor }: Change,
): Promise<boolean> {
  const scope = { db: trx, environment }
  const { id, merchant_id: merchantId, provider, kind, label } = row
  if (kind !== 'simulator') await refuseTrial(trx)
  await lockStore(scope, merchantId)
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('accounts')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) return false
  for (const method of methods) await placeAccount(scope, { merchantId, method }, id)
  const settings = {
    account: { to: id },
    provider: { to: provider },
    kind: { to: kind },
    label: { to: label },
    methods: { to: methods.join(', ') },
  }
  await keepChange(trx, { merchantId, action: 'account-added', settings }, actor)
  return true
}

const secretsSchema = z.strictObject({ credentials: z.string(), noticeSecret: z.string() })

function sealed(
  account: SealedFor,
  { credentials, noticeSecret }: AccountSecrets,
  sealing: AccountSealing,
): Promise<string> {
  const texts = { credentials: credentials.reveal(), noticeSecret: noticeSecret.reveal() }
  return sealing.seal(account, new Secret(JSON.stringify(texts)))
}

function rowOf(account: ProviderAccount, environment: Environment, sealed: string): AccountRow {
  const { id, merchantId, provider, kind, label, lastTest } = account
  return {
    id,
    environment,
    merchant_id: merchantId,
    provider,
    kind,
    label,
    settings: JSON.stringify(account.settings),
    sealed,
    certificate_until: account.certificateUntilMs ?? null,
    tested_at: lastTest?.atMs ?? null,
    test_failure: lastTest?.failure ?? null,
    disabled_at: account.disabledAtMs ?? null,
    created_at: account.createdAtMs,
  }
}

async function openedAccount(row: AccountRow, sealing: AccountSealing): Promise<ProviderAccount> {
  const described = describedAccount(row)
  const text = await sealing.open(described, row.sealed)
  const { credentials, noticeSecret } = secretsSchema.parse(JSON.parse(text.reveal()))
  return {
    ...described,
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

function accountRows({ db, environment }: AccountScope) {
  return db.selectFrom('accounts').selectAll().where('environment', '=', environment)
}

/** Serializes changes of a store's accounts. */
async function lockStore({ db, environment }: AccountScope, merchantId: string): Promise<void> {
  await db.run(namedLock(`accounts of ${environment} ${merchantId}`))
}

/** The change of a locked account row; no columns if nothing changes. */
type RowChange = (row: AccountRow) => Pick<AccountChange, 'action'> & {
  readonly columns: Partial<AccountRow>
  readonly settings?: AccountChange['settings']
}

function rotated(
  { certificate_until }: AccountRow,
  { certificateUntilMs }: AccountRotation,
  sealed: string,
): ReturnType<RowChange> {
  const dateOf = (ms: number | null): string | null =>
    ms === null ? null : new Date(ms).toISOString()
  const until = certificateUntilMs ?? null
  return {
    action: 'account-rotated',
    columns: { sealed, certificate_until: until },
    settings: { certificateUntil: { from: dateOf(certificate_until), to: dateOf(until) } },
  }
}

function changeAccount(
  { database, environment, keepChange, actor }: Change,
  id: string,
  to: RowChange,
): Promise<boolean> {
  return database.transact(async (trx) => {
    const scope = { db: trx, environment }
    const account = accountRows(scope).where('id', '=', id)
    const found = await account.executeTakeFirst()
    if (found === undefined) return false
    const merchantId = found.merchant_id
    await lockStore(scope, merchantId)
    const row = await account.forUpdate().executeTakeFirstOrThrow()
    const { action, columns, settings } = to(row)
    if (Object.keys(columns).length === 0) return true
    await trx.updateTable('accounts').set(columns).where('id', '=', id).execute()
    await keepChange(
      trx,
      { merchantId, action, settings: { account: { to: id }, ...settings } },
      actor,
    )
    return true
  })
}
