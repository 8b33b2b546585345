import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import { type PayerBlocklist, blockedPayer } from '../../model/purchase/payer-blocklist-store.js'

export function createPayerBlocklist(database: Database<GatewayTables>): PayerBlocklist {
  return {
    async block(payer, by) {
      const byProvider = Number(by === 'provider')
      await database.transact((trx) =>
        trx
          .insertInto('blocked_payers')
          .values({ payer: blockedPayer(payer), by_provider: byProvider })
          .onConflict((conflict) =>
            conflict.column('payer').doUpdateSet({ by_provider: byProvider }),
          )
          .execute(),
      )
    },

    unblock: (payer) =>
      database.transact(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('blocked_payers')
          .where('payer', '=', blockedPayer(payer))
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
  }
}
