import type { Database } from '@cofre/sql'
import { FIGURES } from '../../model/figures/payment-figures.js'
import type { CountedFigure, FiguresPeriod } from '../../model/figures/store-figures.js'
import type { GatewayTables } from '../database/gateway-tables.js'

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
  }
}
