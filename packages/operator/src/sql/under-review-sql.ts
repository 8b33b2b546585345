import type { Connection, Database } from '@cofre/sql'
import { sql } from 'kysely'
import { type GatewayTables, type Transaction, storedTransaction } from '@cofre/gateway/room'

/** A group of transactions that are UNDER-REVIEW. */
export interface UnderReviewCount {
  readonly count: number
  /**
   * Since when the oldest one is UNDER-REVIEW; undefined without any. Epoch milliseconds of the
   * environment's clock.
   */
  readonly sinceMs: number | undefined
}

/** Transactions whose outcome is not known yet. */
export interface UnderReview {
  readonly count: () => Promise<{
    /** Their payment method has not answered with a known outcome: the worker continues to poll. */
    readonly answer: UnderReviewCount
    /** Their acquirer has answered that it is reviewing them. */
    readonly review: UnderReviewCount
  }>
  /** Transactions that have been UNDER-REVIEW since `sinceMs` or longer, longest first. */
  readonly find: (sinceMs: number, limit: number) => Promise<readonly Transaction[]>
}

export function createUnderReview({ reader }: Database<GatewayTables>): UnderReview {
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
      return rows.map(storedTransaction.read)
    },
  }
}

function underReview(reader: Connection<GatewayTables>) {
  return (
    reader
      .selectFrom('transactions')
      // Literal, so that PostgreSQL uses the partial index.
      .where('status', '=', sql.lit('UNDER-REVIEW'))
      // An authorized one is decided, and waits for its capture.
      .where('capture', 'is', null)
  )
}
