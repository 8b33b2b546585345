import { HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { expect, it, onTestFinished } from 'vitest'
import { MERCHANT, NOW_MS, openTestGateway } from '../../gateway.fixture.js'
import { intentOf } from '../../intent.fixture.js'
import { INSERTED, describeIntentPart } from '../../method/intent-part.conformance.js'
import { insertIntent } from './intent-insertion-sql.js'
import { purchasePart } from './purchase-limit.js'

const LIMITS = { perTransactionMinor: minorUnits(1000), perPeriodMinor: minorUnits(250) }
const NO_BINS = { payer: 1, address: undefined, bin: undefined }

function nonceOf(requestId: string) {
  return { merchantId: MERCHANT.id, nonce: 'n-1', requestId, untilMs: NOW_MS + HOUR_MS }
}

describeIntentPart('of a nonce', {
  writes: 0,
  refusal: 'nonce_used',
  isForOne: {},
  open: ({ database, parts: { nonces } }) => ({
    of: (number) => nonces.intentPart(nonceOf(`request-${number}`)),
    writtenFor: () => Promise.resolve(0),
    refuse: () =>
      insertIntent(database, intentOf(99), [nonces.intentPart(nonceOf('another request'))]),
  }),
})

describeIntentPart('of the limits of purchases', {
  writes: 1,
  isRemoved: true,
  refusal: 'payer_blocked',
  open: ({ database }) => ({
    of: () => purchasePart(database.reader, LIMITS),
    /** The payer's row: all purchases of a payer are counted together. */
    async writtenFor() {
      const row = await database.reader
        .selectFrom('payer_purchases')
        .select('bought')
        .where('payer_document', '=', intentOf(1).payerDocument)
        .executeTakeFirst()
      return (row?.bought ?? 0) / 100
    },
    refuse: () =>
      database.transact((trx) =>
        trx
          .insertInto('blocked_payers')
          .values({ payer: intentOf(1).payerDocument, by_provider: 0 })
          .execute(),
      ),
  }),
})

describeIntentPart('of the limit of purchases together', {
  writes: 1,
  refusal: 'limit_exceeded',
  isForOne: { amountMinor: minorUnits(200) },
  open: ({ database }) => ({
    of: (number) =>
      purchasePart(database.reader, {
        ...LIMITS,
        ...(number === 7 && { perPeriodMinor: minorUnits(99) }),
      }),
    async writtenFor(code) {
      const rows = await database.reader
        .selectFrom('payer_purchases')
        .innerJoin('transactions', (join) =>
          join.onRef('transactions.payer_document', '=', 'payer_purchases.payer_document'),
        )
        .select('bought')
        .where('code', '=', code)
        .where('payer_purchases.payer_document', '=', intentOf(1).payerDocument)
        .execute()
      return rows.length
    },
    refuse: () => Promise.resolve(),
  }),
})

describeIntentPart('of the limits of declines', {
  writes: 0,
  refusal: 'declined_payer',
  open: ({ database, parts: { transactions } }) => ({
    of: () => transactions.declinePart(NO_BINS),
    writtenFor: () => Promise.resolve(0),
    refuse: () =>
      database.transact((trx) =>
        trx
          .insertInto('card_declines')
          .values({
            transaction_code: 99,
            merchant_id: MERCHANT.id,
            declined_at: NOW_MS - 1,
            payer_document: intentOf(1).payerDocument,
            address: null,
            bin: null,
            link_id: null,
          })
          .execute(),
      ),
  }),
})

it.each(TEST_ENGINES)(
  'an intent on $name that several parts refuse is refused by its request, its reference, then its payer',
  async (engine) => {
    const test = await openTestGateway(engine)
    onTestFinished(() => test.close())
    const { database, parts } = test
    const insert = (number: number, changes: { reference?: string; nonce?: string } = {}) => {
      const { reference = `order-${number}`, nonce = `nonce-${number}` } = changes
      const perPeriodMinor = minorUnits(number === 4 ? 1000 : 1)
      return insertIntent(database, intentOf(number, { reference }), [
        purchasePart(database.reader, { ...LIMITS, perPeriodMinor }),
        parts.transactions.declinePart({ ...NO_BINS, payer: 0 }),
        parts.nonces.intentPart({ ...nonceOf(`request-${number}`), nonce }),
      ])
    }
    const noncePart = parts.nonces.intentPart(nonceOf('request-1'))
    expect(await insertIntent(database, intentOf(1), [noncePart])).toEqual(INSERTED)
    expect(await insert(2, { reference: 'order-1', nonce: 'n-1' })).toBe('nonce_used')
    expect(await insert(2, { reference: 'order-1' })).toBe('reference_used')
    expect(await insert(3)).toBe('limit_exceeded')
    expect(await insert(4)).toBe('declined_payer')
  },
)
