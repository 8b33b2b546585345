import { describePaymentSubscriber } from '../transaction/payment-subscriber.conformance.js'
import { readAll } from './search-index.fixture.js'

describePaymentSubscriber('the index of payments', ({ database }) => ({
  read: (nowMs) => readAll(database, nowMs),
  forgetAll: () =>
    database.transact(async (trx) => {
      const tables = ['payment_terms', 'payment_facts', 'daily_figures', 'index_requests'] as const
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
}))
