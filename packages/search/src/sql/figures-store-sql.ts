import type { Database } from '@cofre/sql'
import { FIGURES } from '../model/payment-figures.js'
import type { FiguresStore } from '../model/stores.js'
import { type GatewayTables, firstCodeAt } from '@cofre/gateway/room'
import { readFacts } from './payment-index-sql.js'
import { ownTables } from './search-tables.js'

/** Reads the index's counts. */
export function createSqlFiguresStore({ reader }: Database<GatewayTables>): FiguresStore {
  return {
    async read(merchantId, { fromDay, untilDay }) {
      const rows = await ownTables(reader)
        .selectFrom('daily_figures')
        .select(['figure', 'day', 'method', 'detail', 'account_id as account', 'count', 'amount'])
        .where('merchant_id', '=', merchantId)
        // Named, so that the key also helps to find the days.
        .where('figure', 'in', FIGURES)
        .where('day', '>=', fromDay)
        .where('day', '<', untilDay)
        .where('count', '>', 0)
        .execute()
      return rows
    },

    async examplesOf(merchantId) {
      const set = await reader
        .selectFrom('example_sets')
        .select('state')
        .where('merchant_id', '=', merchantId)
        .executeTakeFirst()
      return set === undefined || set.state === 'removed' ? undefined : set.state
    },

    async ofExamples(merchantId) {
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
        // A young sandbox's oldest payments: found by their codes.
        .where('transactions.code', '<', firstCodeAt(set.until_ms))
        .where('transactions.merchant_id', '=', merchantId)
        .where('transactions.example', '=', 1)
        .execute()
      return rows.flatMap((row) => readFacts(row).figures)
    },
  }
}
