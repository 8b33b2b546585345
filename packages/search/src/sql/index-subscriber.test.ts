import { describePaymentSubscriber } from '../../../gateway/src/ledger/transaction/payment-subscriber.conformance.js'
import { indexFollows } from './index-follows-sql.js'
import { readAll } from './search-index.fixture.js'
import { ownTables } from './search-tables.js'

describePaymentSubscriber('the index of payments', {
  follows: indexFollows,
  open: ({ database }) => ({
    read: (nowMs) => readAll(database, nowMs),
    forgetAll: () =>
      database.transact(async (unit) => {
        const trx = ownTables(unit)
        const tables = [
          'payment_terms',
          'payment_facts',
          'daily_figures',
          'index_requests',
        ] as const
        for (const table of tables) await trx.deleteFrom(table).execute()
        await trx.updateTable('index_progress').set({ position: 0 }).execute()
      }),
    async waiting() {
      const rows = await database.reader.selectFrom('index_requests').select('code').execute()
      return rows.length
    },
    async known(code) {
      const rows = await database.reader
        .selectFrom('payment_terms')
        .select('term')
        .where('code', '=', code)
        .where('kind', 'in', ['status', 'brand'])
        .orderBy('kind', 'desc')
        .execute()
      return rows.map(({ term }) => term)
    },
  }),
})
