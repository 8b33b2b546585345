import type { Database } from '@cofre/sql'
import { type GatewayTables, comparedPayer } from '@cofre/gateway/room'

/** A payer who may not buy. */
export interface BlockedPayer {
  readonly payer: string
  readonly by: 'operator' | 'provider'
}

/**
 * Blocked payers: their documents and e-mails (specification, section 7.4, 210603 and 210604). A
 * payer is a CPF, CNPJ or e-mail, in any case and punctuation.
 */
export interface PayerBlocklist {
  /** @param by - The operator (210603) or the payment provider (210604). */
  readonly block: (payer: string, by: BlockedPayer['by']) => Promise<void>
  /** The blocked payers in comparable form, with the actor of each block. */
  readonly list: () => Promise<readonly BlockedPayer[]>
  /** False if the payer was not blocked. */
  readonly unblock: (payer: string) => Promise<boolean>
}

export function createPayerBlocklist(database: Database<GatewayTables>): PayerBlocklist {
  return {
    async block(payer, by) {
      const byProvider = Number(by === 'provider')
      await database.transact((trx) =>
        trx
          .insertInto('blocked_payers')
          .values({ payer: comparedPayer(payer), by_provider: byProvider })
          .onConflict((conflict) =>
            conflict.column('payer').doUpdateSet({ by_provider: byProvider }),
          )
          .execute(),
      )
    },

    async list() {
      const { reader } = database
      const rows = await reader.selectFrom('blocked_payers').selectAll().orderBy('payer').execute()
      return rows.map(({ payer, by_provider: byProvider }) => ({
        payer,
        by: byProvider === 1 ? 'provider' : 'operator',
      }))
    },

    unblock: (payer) =>
      database.transact(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('blocked_payers')
          .where('payer', '=', comparedPayer(payer))
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
  }
}
