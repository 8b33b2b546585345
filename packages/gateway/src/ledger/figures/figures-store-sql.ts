import type { Database } from '@cofre/sql'
import { FIGURES, type FigurePart } from '../../model/figures/payment-figures.js'
import type { CountedFigure, FiguresPeriod } from '../../model/figures/store-figures.js'
import { firstCodeAt } from '../../model/transaction/transaction.js'
import type { GatewayTables } from '../database/gateway-tables.js'
import { readFacts } from '../search/payment-index-sql.js'

/** Reads what the index has counted. */
export function createSqlFiguresStore({ reader }: Database<GatewayTables>) {
  return {
    /** All that was counted of a store in a period, by day, method, detail and account. */
    async read(
      merchantId: string,
      { fromDay, untilDay }: FiguresPeriod,
    ): Promise<readonly CountedFigure[]> {
      const rows = await reader
        .selectFrom('daily_figures')
        .select(['figure', 'day', 'method', 'detail', 'account_id as account', 'count', 'amount'])
        .where('merchant_id', '=', merchantId)
        // Named, so that the key is of use for the days.
        .where('figure', 'in', FIGURES)
        .where('day', '>=', fromDay)
        .where('day', '<', untilDay)
        .where('count', '>', 0)
        .execute()
      return rows
    },

    /** Whether a store's example payments are being made, or are all there. */
    async examplesOf(merchantId: string): Promise<'making' | 'made' | undefined> {
      const set = await reader
        .selectFrom('example_sets')
        .select('state')
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst()
      return set === undefined || set.state === 'removed' ? undefined : set.state
    },

    /** What example payments have added in all periods; undefined of a store without any. */
    async ofExamples(merchantId: string): Promise<readonly FigurePart[] | undefined> {
      const set = await reader
        .selectFrom('example_sets')
        .select('until_ms')
        .where('merchant_id', '=', merchantId)
        .where('state', '<>', 'removed')
        .executeTakeFirst()
      if (set === undefined) return undefined
      const rows = await reader
        .selectFrom('transactions')
        .innerJoin('payment_facts', 'payment_facts.code', 'transactions.code')
        .select(['payment_facts.terms', 'payment_facts.figures'])
        // The oldest of a young sandbox: found by their codes.
        .where('transactions.code', '<', firstCodeAt(set.until_ms))
        .where('transactions.merchant_id', '=', merchantId)
        .where('transactions.example', '=', 1)
        .execute()
      return rows.flatMap((row) => readFacts(row).figures)
    },
  }
}
