import type { Database } from '@cofre/sql'
import { type GatewayTables, type Transaction, comparedPayer } from '@cofre/gateway/room'

type Payer = Pick<Transaction, 'merchantId' | 'payerDocument' | 'payerEmail'>

/** The blocks of one store: the document and the e-mail of a payment's payer. */
export interface StoreBlocks {
  /** A payer who is already blocked keeps the block and its actor. */
  readonly block: (
    payer: Payer,
    by: { readonly actor: string; readonly atMs: number },
  ) => Promise<void>
  readonly unblock: (payer: Payer) => Promise<void>
  /** True if the store has blocked the document or the e-mail. */
  readonly isBlocked: (payer: Payer) => Promise<boolean>
}

export function createSqlStoreBlocks(database: Database<GatewayTables>): StoreBlocks {
  return {
    async block(payer, by) {
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

    async unblock(payer) {
      await database.transact((trx) =>
        trx
          .deleteFrom('store_blocked_payers')
          .where('merchant_id', '=', payer.merchantId)
          .where('payer', 'in', namesOf(payer))
          .execute(),
      )
    },

    async isBlocked(payer) {
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
