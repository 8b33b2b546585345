import { type AccountStore, createSqlAccountStore } from '@cofre/provider-kit/account'
import type { Clock, Environment } from '@cofre/contracts'
import type { Connection, Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import { type SecretWrapping, isWrappedSecret } from '../merchant/secret-wrapping.js'
import { keepStoreChange } from '../merchant/store-change-sql.js'

/** What the accounts of an environment are made of. */
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
   * Wraps by the current key what another key wrapped; returns how many accounts.
   * @throws StoreSecretError when a key is not here
   */
  rewrap(): Promise<number>
}

/** The log of their store keeps each change. */
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
      // The log numbers what becomes of a store: those who write it take turns.
      const store = trx.selectFrom('merchants').select('id').where('id', '=', storeId)
      await store.forUpdate().execute()
      await keepStoreChange(trx, { storeId, action, settings }, { clock, actor })
    },
  })
  return { ...store, rewrap: () => rewrap(database, sealing) }
}

/** What a sealed text belongs to: moved to another store or account, it does not open. */
function recordOf(merchantId: string, id: string): string {
  return `${merchantId}/${id}`
}

/** Each is replaced only while it is what was read: another process may be rotating it. */
async function rewrap(database: Database<GatewayTables>, sealing: SecretWrapping): Promise<number> {
  let count = 0
  const accounts = database.reader.selectFrom('accounts').select(['id', 'merchant_id', 'sealed'])
  for (const { id, merchant_id, sealed } of await accounts.execute()) {
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
