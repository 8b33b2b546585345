import type { Database } from '@cofre/sql'
import type { GatewayTables } from '../database/gateway-tables.js'

export type PayerBlocklist = ReturnType<typeof createPayerBlocklist>

/** Somebody who may not buy. */
export interface BlockedPayer {
  readonly payer: string
  readonly by: 'operator' | 'provider'
}

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
          .values({ payer: comparedPayer(payer), by_provider: byProvider })
          .onConflict((conflict) =>
            conflict.column('payer').doUpdateSet({ by_provider: byProvider }),
          )
          .execute(),
      )
    },

    /** Who is blocked, in the form in which payers are compared, and by whom. */
    async list(): Promise<readonly BlockedPayer[]> {
      const { reader } = database
      const rows = await reader.selectFrom('blocked_payers').selectAll().orderBy('payer').execute()
      return rows.map(({ payer, by_provider: byProvider }) => ({
        payer,
        by: byProvider === 1 ? 'provider' : 'operator',
      }))
    },

    /** False when the payer was not blocked. */
    unblock: (payer: string): Promise<boolean> =>
      database.transact(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('blocked_payers')
          .where('payer', '=', comparedPayer(payer))
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),
  }
}

/**
 * The form in which payers are compared: an e-mail in lower case, a document without punctuation.
 */
export function comparedPayer(payer: string): string {
  const text = payer.trim()
  return text.includes('@') ? text.toLowerCase() : text.replaceAll(/[./-]/g, '').toUpperCase()
}
