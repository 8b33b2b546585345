import { randomBytes } from 'node:crypto'
import type { Clock, Environment } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import type { StoreActor } from '../../model/merchant/merchant.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import {
  type SecretKey,
  StoreSecretError,
  createSecretWrapping,
  isWrappedSecret,
} from './secret-wrapping.js'
import { keepStoreChange } from './store-change-sql.js'

interface LostSecretDeps {
  readonly database: Database<GatewayTables>
  readonly environment: Environment
  /** Those at hand; none where there is none any more. */
  readonly keys: readonly SecretKey[]
  /** The machine's own time. */
  readonly clock: Clock
  readonly actor: StoreActor
}

/** What was given up. */
export interface LostSecrets {
  /** Stores that signed until then; each is disabled. */
  readonly stores: readonly string[]
  /** Stores that were disabled before. */
  readonly disabledBefore: readonly string[]
  readonly accounts: readonly string[]
}

/** What stands for credentials that nobody can open: no text that is wrapped. */
const GIVEN_UP = 'lost'

/**
 * Gives up every secret of a store, and the credentials of every account, that no key at hand
 * opens. Such a store is disabled, and gets a secret that nobody knows: it signs again once it was
 * rotated and enabled. What opens stays as it is.
 */
export async function giveUpLostSecrets(deps: LostSecretDeps): Promise<LostSecrets> {
  const { database } = deps
  return await database.transact(async (trx) => {
    const stores = await giveUpStores(trx, deps)
    return { ...stores, accounts: await giveUpAccounts(trx, deps) }
  })
}

async function giveUpStores(trx: Connection<GatewayTables>, deps: LostSecretDeps) {
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

async function giveUpAccounts(
  trx: Connection<GatewayTables>,
  deps: LostSecretDeps,
): Promise<readonly string[]> {
  const opens = openerOf(deps, 'provider-account')
  const rows = await trx
    .selectFrom('accounts')
    .select(['id', 'merchant_id', 'sealed'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const lost = rows.filter((row) => !opens(`${row.merchant_id}/${row.id}`, row.sealed))
  for (const { id } of lost)
    await trx.updateTable('accounts').set({ sealed: GIVEN_UP }).where('id', '=', id).execute()
  return lost.map(({ id }) => id)
}

/** Whether a text opens; one in the clear needs no key. */
function openerOf(
  { environment, keys: [current, ...others] }: LostSecretDeps,
  purpose: 'store-secret' | 'provider-account',
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
