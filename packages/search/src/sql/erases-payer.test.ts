import { describeErasesPayer } from '../../../gateway/src/ledger/transaction/erases-payer.conformance.js'
import { unindexPayers } from './payment-index-sql.js'

describeErasesPayer('the search index', {
  erase: unindexPayers,
  async kept(db, code) {
    const terms = db.selectFrom('payment_terms').select('term').where('code', '=', code)
    const facts = db.selectFrom('payment_facts').select('terms').where('code', '=', code)
    return [...(await terms.execute()), ...(await facts.execute())]
  },
})
