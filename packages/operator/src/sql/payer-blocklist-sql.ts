import type { Database } from '@cofre/sql'
import { type GatewayTables, comparedPayer } from '@cofre/gateway/room'

/** Somebody who may not buy. */
export interface BlockedPayer {
  readonly payer: string
  readonly by: 'operator' | 'provider'
}

/**
 * Who may not buy: payers' documents and e-mails (specification, section 7.4, 210603 and 210604).
 * A payer is a CPF, CNPJ or e-mail, in any case and punctuation.
 */
export interface PayerBlocklist {
  /**
   * @param by - Whether the operator blocked the payer (210603) or the payment provider did
   * (210604).
   */
  readonly block: (payer: string, by: BlockedPayer['by']) => Promise<void>
  /** Who is blocked, in the form in which payers are compared, and by whom. */
  readonly list: () => Promise<readonly BlockedPayer[]>
  /** False when the payer was not blocked. */
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
