import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'

export type PayerBlocklist = ReturnType<typeof createPayerBlocklist>

/**
 * Who may not buy: payers' documents and e-mails (specification, section 7.4, 210603 and 210604).
 */
export function createPayerBlocklist(database: Database<GatewayTables>) {
  return {
    /**
     * @param payer - CPF, CNPJ or e-mail, in any case and punctuation.
     * @param by - Whether the operator blocked the payer (210603) or the payment provider did
     * (210604).
     */
    async block(payer: string, by: 'operator' | 'provider'): Promise<void> {
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

    /** False when the payer was not blocked. */
    unblock: (payer: string): Promise<boolean> =>
      database.transact(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('blocked_payers')
          .where('payer', '=', blockedPayer(payer))
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
  }
}

/**
 * The form in which payers are compared: an e-mail in lower case, a document without punctuation.
 */
function blockedPayer(payer: string): string {
  const text = payer.trim()
  return text.includes('@') ? text.toLowerCase() : text.replaceAll(/[./-]/g, '').toUpperCase()
}
