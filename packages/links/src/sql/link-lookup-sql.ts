import type { Connection, Database } from '@cofre/sql'
import { PAID_STATUSES } from '@cofre/gateway/room'
import type { LinkLookup } from '../model/stores.js'
import { type RoomTables, storedLink } from './link-tables.js'
import type { LinkTries } from '../model/payment-link.js'

/** For a link with more tries, older ones are not counted. */
const COUNTED_MAX = 1000

export function createSqlLinkLookup({ reader }: Database<RoomTables>): LinkLookup {
  return {
    triesOf: (ids) => triesOf(reader, ids),
    async findByTransaction(storeId, code) {
      const found = await reader
        .selectFrom('payment_link_tries')
        .select('link_id')
        .where('transaction_code', '=', code)
        .executeTakeFirst()
      if (found === undefined) return undefined
      const row = await reader
        .selectFrom('payment_links')
        .selectAll()
        .where('id', '=', found.link_id)
        .where('merchant_id', '=', storeId)
        .executeTakeFirst()
      return row && storedLink.read(row)
    },
  }
}

async function triesOf(
  reader: Connection<RoomTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LinkTries>> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('payment_links')
    .select('id')
    .select((link) => {
      const newest = link
        .selectFrom('payment_link_tries')
        .select('transaction_code')
        .whereRef('link_id', '=', 'payment_links.id')
        .orderBy('number', 'desc')
        .limit(COUNTED_MAX)
        .as('newest')
      const paidIn = (table: 'transactions' | 'archived_transactions') =>
        link
          .selectFrom(newest)
          .innerJoin(`${table} as paid`, 'paid.code', 'newest.transaction_code')
          .where('paid.status', 'in', PAID_STATUSES)
          .select((of) => of.fn.countAll<number>().as('found'))
      return [
        link
          .selectFrom(newest)
          .select((of) => of.fn.countAll<number>().as('found'))
          .as('tries'),
        paidIn('transactions').as('paid'),
        paidIn('archived_transactions').as('paid_long_ago'),
      ]
    })
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(
      ({ id, paid, paid_long_ago, tries }) =>
        [id, { tries: tries ?? 0, paid: (paid ?? 0) + (paid_long_ago ?? 0) }] as const,
    ),
  )
}
