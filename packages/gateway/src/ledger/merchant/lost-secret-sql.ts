import { randomBytes } from 'node:crypto'
import type { Clock, Environment } from '@cofre/contracts'
import { keepAct } from '@cofre/people'
import type { Connection, Database } from '@cofre/sql'
import type { StoreActor } from '../../model/merchant/merchant.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import {
  type SecretKey,
  type SecretPurpose,
  StoreSecretError,
  createSecretWrapping,
  isWrappedSecret,
} from './secret-wrapping.js'
import { keepStoreChange } from './store-change-sql.js'

interface KeysAtHand {
  readonly database: Database<GatewayTables>
  readonly environment: Environment
  /** Empty if no key is left. */
  readonly keys: readonly SecretKey[]
}

interface LostSecretDeps extends KeysAtHand {
  /** The machine's own time. */
  readonly clock: Clock
  readonly actor: Exclude<StoreActor, 'panel' | 'api'>
}

/** The secrets that were given up. */
export interface LostSecrets {
  /** Stores that could sign until then; each is disabled. */
  readonly stores: readonly string[]
  /** Stores that were disabled before. */
  readonly disabledBefore: readonly string[]
  readonly accounts: readonly string[]
  /** E-mails of people who need a passkey, or `cofre person reset`, to sign in again. */
  readonly people: readonly string[]
}

/** Replaces credentials that no key opens; it is not a wrapped text. */
const LOST = 'lost'

/**
 * Stores, accounts and people whose current secrets, credentials or authenticators no available key
 * opens.
 */
export async function findLostSecrets(
  deps: KeysAtHand,
): Promise<Omit<LostSecrets, 'disabledBefore'>> {
  const { reader } = deps.database
  const opens = openerOf(deps, 'store-secret')
  const stores = await reader
    .selectFrom('merchants')
    .select(['id', 'secret'])
    .orderBy('id')
    .execute()
  return {
    stores: stores.filter(({ id, secret }) => !opens(id, secret)).map(({ id }) => id),
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
  const { clock, actor } = deps
  const opens = openerOf(deps, 'store-secret')
  const stores: string[] = []
  const disabledBefore: string[] = []
  for (const row of await trx
    .selectFrom('merchants')
    .selectAll()
    .orderBy('id')
    .forUpdate()
    .execute()) {
    const { id, secret, previous_secret: previous } = row
    if (opens(id, secret) && (previous === null || opens(id, previous))) continue
    const isLost = !opens(id, secret)
    await trx
      .updateTable('merchants')
      .set({
        previous_secret: null,
        previous_until: null,
        ...(isLost && { enabled: 0, secret: randomBytes(32).toString('base64url') }),
      })
      .where('id', '=', id)
      .execute()
    if (!isLost) continue
    ;(row.enabled === 1 ? stores : disabledBefore).push(id)
    const settings = { secretLost: { to: true }, enabled: { from: row.enabled === 1, to: false } }
    await keepStoreChange(trx, { storeId: id, action: 'changed', settings }, { clock, actor })
  }
  return { stores, disabledBefore }
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
    await keepAct({ trx, clock }, { ...act, actor, target: id, address: '', browser: '' })
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
