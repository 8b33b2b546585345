import { randomBytes } from 'node:crypto'
import type { Clock, Environment } from '@cofre/contracts'
import { insertAct } from '@cofre/people'
import type { Connection, Database } from '@cofre/sql'
import type { StoreActor } from '../../model/merchant/merchant.js'
import { FIRST_KEY } from '../../model/merchant/store-key.js'
import type { GatewayTables, StoreKeyRow } from '../database/gateway-tables.js'
import {
  type SecretKey,
  type SecretPurpose,
  StoreSecretError,
  createSecretWrapping,
  isWrappedSecret,
} from './secret-wrapping.js'
import { insertStoreChange } from './store-change-sql.js'
import { NOTIFICATION_KEY, isLiveRow, recordOf, updateKey } from './store-key-sql.js'

interface KeysAtHand {
  readonly database: Database<GatewayTables>
  readonly environment: Environment
  /** Empty if no key is left. */
  readonly keys: readonly SecretKey[]
  /** The machine's own time. */
  readonly clock: Clock
}

interface LostSecretDeps extends KeysAtHand {
  readonly actor: Exclude<StoreActor, 'panel' | 'api'>
}

/** The secrets that were given up. */
export interface LostSecrets {
  /** Stores that could sign until then; each is disabled. */
  readonly stores: readonly string[]
  /** Stores that were disabled before. */
  readonly disabledBefore: readonly string[]
  /** Further keys of stores, and secrets of their notifications: `loja-um/k-1a2b3c4d`. */
  readonly keys: readonly string[]
  readonly accounts: readonly string[]
  /** E-mails of people who need a passkey, or `cofre person reset`, to sign in again. */
  readonly people: readonly string[]
}

/** Replaces credentials that no key opens; it is not a wrapped text. */
const LOST = 'lost'

/**
 * Stores, accounts and people whose current secrets, credentials or authenticators no available key
 * opens. Keys that have ended have nothing to lose.
 */
export async function findLostSecrets(
  deps: KeysAtHand,
): Promise<Omit<LostSecrets, 'disabledBefore'>> {
  const { reader } = deps.database
  const opens = openerOf(deps, 'store-secret')
  const keys = await reader
    .selectFrom('store_keys')
    .select(['merchant_id', 'id', 'secret', 'ends_at'])
    .orderBy('merchant_id')
    .orderBy('created_at')
    .execute()
  const nowMs = deps.clock.now()
  const lost = keys.filter(
    (key) => isLiveRow(key, nowMs) && !opens(recordOf(key.merchant_id, key.id), key.secret),
  )
  return {
    stores: lost.filter(({ id }) => id === FIRST_KEY).map(({ merchant_id }) => merchant_id),
    keys: lost.filter(({ id }) => id !== FIRST_KEY).map((key) => `${key.merchant_id}/${key.id}`),
    accounts: lostOf(await accountsWithSecrets(reader).execute(), deps),
    people: (await lostPeople(reader, deps)).map(({ email }) => email),
  }
}

/**
 * Gives up all secrets that no available key opens: of stores, of accounts and of people's
 * authenticators. Such a store is disabled and gets a random secret, which is not recorded. It
 * signs again after a rotation, once it is enabled. Such a person loses the password, too. Secrets
 * that open are kept.
 */
export async function withdrawLostSecrets(deps: LostSecretDeps): Promise<LostSecrets> {
  const { database } = deps
  return await database.transact(async (trx) => {
    const stores = await withdrawStores(trx, deps)
    const accounts = await withdrawAccounts(trx, deps)
    await withdrawDigestKeys(trx, deps)
    return { ...stores, accounts, people: await withdrawPeople(trx, deps) }
  })
}

async function withdrawStores(trx: Connection<GatewayTables>, deps: LostSecretDeps) {
  const opens = openerOf(deps, 'store-secret')
  const enabled = new Map<string, boolean>()
  const rows = trx.selectFrom('merchants').select(['id', 'enabled']).orderBy('id').forUpdate()
  for (const row of await rows.execute()) enabled.set(row.id, row.enabled === 1)
  const stores: string[] = []
  const disabledBefore: string[] = []
  const keys: string[] = []
  const all = await trx
    .selectFrom('store_keys')
    .selectAll()
    .orderBy('merchant_id')
    .orderBy('created_at')
    .execute()
  const nowMs = deps.clock.now()
  const ended = new Set(all.filter((key) => !isLiveRow(key, nowMs)))
  const firstEnded = new Set(
    [...ended].filter(({ id }) => id === FIRST_KEY).map(({ merchant_id }) => merchant_id),
  )
  for (const key of all) {
    const { merchant_id: storeId, id, previous_secret: previous } = key
    const record = recordOf(storeId, id)
    if (!opens(record, key.secret) && ended.has(key)) {
      // The next start reads the secrets of ended keys too.
      await updateKey(trx, key, randomSecret())
    } else if (!opens(record, key.secret)) {
      await withdrawKey(trx, key, { ...deps, isFirstEnded: firstEnded.has(storeId) })
      if (id === FIRST_KEY) (enabled.get(storeId) === true ? stores : disabledBefore).push(storeId)
      else keys.push(`${storeId}/${id}`)
    } else if (previous !== null && !opens(record, previous))
      await updateKey(trx, key, { previous_secret: null, previous_until: null })
  }
  return { stores, disabledBefore, keys }
}

/** A secret that is shown to no program, so that nothing more is signed with it. */
function randomSecret() {
  const secret = randomBytes(32).toString('base64url')
  return { secret, previous_secret: null, previous_until: null }
}

/**
 * The first key gets a random secret, and its store is disabled; another key ends. Notifications
 * whose secret is lost follow the first key again, or get a random one if that has ended.
 */
async function withdrawKey(
  trx: Connection<GatewayTables>,
  key: StoreKeyRow,
  { clock, actor, isFirstEnded }: LostSecretDeps & { readonly isFirstEnded: boolean },
): Promise<void> {
  const { merchant_id: storeId, id } = key
  const settings = { key: { to: id }, secretLost: { to: true } }
  if (id === NOTIFICATION_KEY && !isFirstEnded)
    await trx
      .deleteFrom('store_keys')
      .where('merchant_id', '=', storeId)
      .where('id', '=', id)
      .execute()
  else {
    const isFurther = id !== FIRST_KEY && id !== NOTIFICATION_KEY
    await updateKey(trx, key, { ...randomSecret(), ...(isFurther && { ends_at: clock.now() }) })
  }
  if (id !== FIRST_KEY) {
    await insertStoreChange(trx, { storeId, action: 'key-ended', settings }, { clock, actor })
    return
  }
  const store = trx.updateTable('merchants').set({ enabled: 0 }).where('id', '=', storeId)
  const { numUpdatedRows } = await store.where('enabled', '=', 1).executeTakeFirst()
  const disabled = { from: numUpdatedRows === 1n, to: false }
  const changed = { secretLost: { to: true }, enabled: disabled }
  const change = { storeId, action: 'changed', settings: changed } as const
  await insertStoreChange(trx, change, { clock, actor })
}

async function withdrawAccounts(
  trx: Connection<GatewayTables>,
  deps: LostSecretDeps,
): Promise<readonly string[]> {
  const lost = lostOf(await accountsWithSecrets(trx).forUpdate().execute(), deps)
  for (const id of lost)
    await trx.updateTable('accounts').set({ sealed: LOST }).where('id', '=', id).execute()
  return lost
}

/** A passkey still signs in. */
async function withdrawPeople(
  trx: Connection<GatewayTables>,
  deps: LostSecretDeps,
): Promise<readonly string[]> {
  const { clock, actor } = deps
  const lost = await lostPeople(trx, deps)
  for (const { id } of lost) {
    const none = { totp: null, totp_step: null, password: null }
    await trx.updateTable('people').set(none).where('id', '=', id).execute()
    const act = { environment: 'production', action: 'credentials-lost', outcome: 'done' } as const
    await insertAct({ trx, clock }, { ...act, actor, target: id, address: '', browser: '' })
  }
  return lost.map(({ email }) => email)
}

/** The next digest draws a new key: a refund is no longer found by the key of its request. */
async function withdrawDigestKeys(trx: Connection<GatewayTables>, deps: KeysAtHand): Promise<void> {
  const opens = openerOf(deps, 'digest-key')
  for (const { purpose, wrapped } of await trx.selectFrom('digest_keys').selectAll().execute())
    if (!opens(purpose, wrapped))
      await trx.deleteFrom('digest_keys').where('purpose', '=', purpose).execute()
}

async function lostPeople(db: Connection<GatewayTables>, deps: KeysAtHand) {
  const people = db.selectFrom('people').select(['id', 'email', 'totp']).orderBy('email')
  const opens = openerOf(deps, 'person-totp')
  return (await people.execute()).filter(({ id, totp }) => totp !== null && !opens(id, totp))
}

function accountsWithSecrets(db: Connection<GatewayTables>) {
  return db.selectFrom('accounts').select(['id', 'merchant_id', 'sealed']).orderBy('id')
}

function lostOf(
  rows: readonly { readonly id: string; readonly merchant_id: string; readonly sealed: string }[],
  deps: KeysAtHand,
): readonly string[] {
  const opens = openerOf(deps, 'provider-account')
  return rows
    .filter((row) => !opens(`${row.merchant_id}/${row.id}`, row.sealed))
    .map(({ id }) => id)
}

/** Returns a function that is true if a text opens; plain text needs no key. */
function openerOf(
  { environment, keys: [current, ...others] }: KeysAtHand,
  purpose: SecretPurpose,
): (record: string, text: string) => boolean {
  if (current === undefined) return (_, text) => !isWrappedSecret(text)
  const wrapping = createSecretWrapping(environment, [current, ...others], purpose)
  return (record, text) => {
    try {
      wrapping.read(record, text)
      return true
    } catch (error) {
      if (error instanceof StoreSecretError) return false
      throw error
    }
  }
}
