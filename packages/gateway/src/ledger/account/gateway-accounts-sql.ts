import { type AccountStore, createSqlAccountStore } from '@cofre/provider-kit/account'
import type { Clock, Environment } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import { type SecretWrapping, isWrappedSecret } from '../merchant/secret-wrapping.js'
import { insertStoreChange } from '../merchant/store-change-sql.js'

export interface GatewayAccountsDeps {
  readonly database: Database<GatewayTables>
  readonly environment: Environment
  /** The machine's own time. */
  readonly clock: Clock
  /** For the purpose `provider-account`. */
  readonly sealing: SecretWrapping
}

/** The accounts that the gateway keeps: those of banks. */
export interface GatewayAccounts extends AccountStore {
  /**
   * Wraps with the current key each secret that another key wrapped; returns their number.
   * @throws StoreSecretError if a key is missing
   */
  rewrap(): Promise<number>
}

/** Each change is recorded in the log of the account's store. */
export function createGatewayAccounts(deps: GatewayAccountsDeps): GatewayAccounts {
  const { database, environment, clock, sealing } = deps
  const store = createSqlAccountStore({
    database,
    environment,
    clock,
    sealing: {
      seal: ({ merchantId, id }, text) =>
        Promise.resolve(sealing.wrap(recordOf(merchantId, id), text)),
      open: ({ merchantId, id }, sealed) =>
        Promise.resolve().then(() => sealing.unwrap(recordOf(merchantId, id), sealed)),
    },
    async keepChange(
      trx: Connection<GatewayTables>,
      { merchantId: storeId, action, settings },
      actor,
    ) {
      // The log numbers a store's changes, so its writers take turns.
      const store = trx.selectFrom('merchants').select('id').where('id', '=', storeId)
      await store.forUpdate().execute()
      await insertStoreChange(trx, { storeId, action, settings }, { clock, actor })
    },
  })
  return { ...store, rewrap: () => rewrap(database, sealing) }
}

/** Binds a sealed text to its account: moved to another store or account, it does not open. */
function recordOf(merchantId: string, id: string): string {
  return `${merchantId}/${id}`
}

/** Replaces only what is unchanged since it was read: another process may rotate the account. */
async function rewrap(database: Database<GatewayTables>, sealing: SecretWrapping): Promise<number> {
  let count = 0
  const accounts = database.reader.selectFrom('accounts').select(['id', 'merchant_id', 'sealed'])
  for (const { id, merchant_id, sealed } of await accounts.execute()) {
    const record = recordOf(merchant_id, id)
    // The account's key was lost; new credentials are expected.
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
