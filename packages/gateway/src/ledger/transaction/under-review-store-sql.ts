import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import type { GatewayTables } from '../database/gateway-tables.js'
import { transactionOf } from './transaction-row.js'
import type {
  UnderReviewCount,
  UnderReviewStore,
} from '../../model/transaction/under-review-store.js'

export function createSqlUnderReviewStore({ reader }: Database<GatewayTables>): UnderReviewStore {
  return {
    async count() {
      const rows = await underReview(reader)
        .select((select) => [
          'open',
          select.fn.countAll<number>().as('count'),
          select.fn.min<number>('status_changed_at').as('since'),
        ])
        .groupBy('open')
        .execute()
      const counted = (open: number): UnderReviewCount => {
        const row = rows.find((found) => found.open === open)
        return { count: row?.count ?? 0, sinceMs: row?.since }
      }
      return { answer: counted(1), review: counted(0) }
    },

    async find(sinceMs, limit) {
      const rows = await underReview(reader)
        .selectAll()
        .where('status_changed_at', '<=', sinceMs)
        .orderBy('status_changed_at')
        .orderBy('code')
        .limit(limit)
        .execute()
      return rows.map(transactionOf)
    },
  }
}

function underReview(reader: Connection<GatewayTables>) {
  // Spelt out, as the partial index has it.
  return reader.selectFrom('transactions').where('status', '=', sql.lit('UNDER-REVIEW'))
}
