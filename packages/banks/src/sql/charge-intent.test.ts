import { NOW_MS } from '../../../gateway/src/gateway.fixture.js'
import { describeIntentPart } from '../../../gateway/src/method/intent-part.conformance.js'
import { chargeKindOf } from '../model/charge-kind.js'
import { accountOf } from '../payment/pix-bank.fixture.js'
import { chargePart, removeCharge } from './charge-intent-sql.js'

describeIntentPart('of a charge at a bank', {
  intent: { paymentType: 'eft' },
  writes: 2,
  isRemoved: true,
  removal: removeCharge,
  async open({ database, parts: { accounts } }) {
    await accounts.create(accountOf('bank-1'), ['pix'], 'operator:ana')
    return {
      of: (number) =>
        chargePart({
          accountId: 'bank-1',
          method: 'pix',
          name: chargeKindOf({ method: 'pix' }).drawName((limit) => (number * 7) % limit),
          dueDate: undefined,
          askedAtMs: NOW_MS,
        }),
      async writtenFor(code) {
        const tables = ['bank_charges', 'charge_names'] as const
        const rows = await Promise.all(
          tables.map((table) =>
            database.reader
              .selectFrom(table)
              .select('txid')
              .where('transaction_code', '=', code)
              .execute(),
          ),
        )
        return rows.flat().length
      },
      refuse: () => Promise.reject(new Error('it refuses none')),
    }
  },
})
