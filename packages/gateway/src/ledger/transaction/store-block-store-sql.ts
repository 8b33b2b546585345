import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'
import type { Transaction } from '../../model/transaction/transaction.js'
import { comparedPayer } from './payer-blocklist-store-sql.js'

type Payer = Pick<Transaction, 'merchantId' | 'payerDocument' | 'payerEmail'>

/** Who may not buy in one store: the document and the e-mail of a payment's payer. */
export function createSqlStoreBlocks(database: Database<GatewayTables>) {
  return {
    /** Whoever is blocked already stays blocked by whom it was. */
    async block(payer: Payer, by: { readonly actor: string; readonly atMs: number }) {
      const rows = namesOf(payer).map((name) => ({
        merchant_id: payer.merchantId,
        payer: name,
        actor: by.actor,
        at: by.atMs,
      }))
      await database.transact((trx) =>
        trx
          .insertInto('store_blocked_payers')
          .values(rows)
          .onConflict((conflict) => conflict.columns(['merchant_id', 'payer']).doNothing())
          .execute(),
      )
    },

    async unblock(payer: Payer): Promise<void> {
      await database.transact((trx) =>
        trx
          .deleteFrom('store_blocked_payers')
          .where('merchant_id', '=', payer.merchantId)
          .where('payer', 'in', namesOf(payer))
          .execute(),
      )
    },

    /** Whether the store has blocked the document or the e-mail. */
    async isBlocked(payer: Payer): Promise<boolean> {
      const found = await database.reader
        .selectFrom('store_blocked_payers')
        .select('payer')
        .where('merchant_id', '=', payer.merchantId)
        .where('payer', 'in', namesOf(payer))
        .executeTakeFirst()
      return found !== undefined
    },
  }
}

function namesOf({ payerDocument, payerEmail }: Payer): readonly string[] {
  return [comparedPayer(payerDocument), comparedPayer(payerEmail)]
}
