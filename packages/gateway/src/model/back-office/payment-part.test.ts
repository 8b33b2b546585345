import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_SQLITE } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNotificationRecord } from '../../../../notifications/src/index.js'
import { shownStore } from '../../../../operator/src/back-office.js'
import { createSqlDeskStore } from '../../../../operator/src/sql/desk-store-sql.js'
import { cardChangesPart } from '../../methods/card/card-parts.js'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
  railRequest,
} from '../../gateway.fixture.js'
import { intentOf } from '../../intent.fixture.js'
import { readAll } from '../../../../search/src/sql/search-index.fixture.js'
import { applyCardChanges } from '../../payment/card-return-service.js'
import { createPaymentListing } from '../../payment/payment-listing-service.js'
import type { AppliedCardChange } from '../card/card-change.js'
import { describePaymentPart } from './payment-part.conformance.js'
import {
  type ListParts,
  type PageParts,
  type PaymentPart,
  partsOf,
  paymentPartsOf,
} from './payment-part.js'
import { searchOf } from '../../../../search/src/search.fixture.js'
import { shownPaymentsOf } from '../../payment/desk-service.js'

const STOPPED = AbortSignal.abort()

async function payByCard({ send, parts }: Pick<TestGateway, 'send' | 'parts'>, reference: string) {
  await send('POST', '/transactions', { body: cardRequest(reference) })
  return (await parts.transactions.findByReference(MERCHANT.id, reference))!
}

describePaymentPart('cardChanges', {
  value: [{ kind: 'dispute_announced', amountMinor: 10_000, detail: 'fraud 10.4' }],
  otherwise: [],
  async open(engine) {
    const test = await openTestGateway(engine)
    onTestFinished(() => test.close())
    const having = await payByCard(test, 'order-1')
    test.changes.push({
      id: 'change-1',
      transactionCode: String(having.code),
      change: { kind: 'dispute_announced', amountMinor: minorUnits(10_000) },
      detail: 'fraud 10.4',
      atMs: NOW_MS,
    })
    await applyCardChanges(test.parts, STOPPED)
    const foreign = railRequest('order-3', 'pix')
    await test.send('POST', '/transactions', { body: foreign })
    return {
      part: cardChangesPart(test.parts.cardChanges),
      having,
      lacking: await payByCard(test, 'order-2'),
      foreign: (await test.parts.transactions.findByReference(MERCHANT.id, 'order-3'))!,
    }
  },
})

describe('what rooms add to payments', () => {
  interface Shown {
    readonly one?: string
    readonly other: number
  }
  const [first, second] = [intentOf(1), intentOf(2)]
  const one: PaymentPart<'one', string> = {
    name: 'one',
    of: () => Promise.resolve(new Map([[first.code, 'of the first']])),
  }
  const other: PaymentPart<'other', number> = {
    name: 'other',
    of: (payments) => Promise.resolve(new Map(payments.map(({ code }) => [code, code * 10]))),
  }

  it('is joined by the names of the parts, and is what it is without them otherwise', async () => {
    const none = { other: 0 }
    const joined = await partsOf(paymentPartsOf<Shown>(none, [one, other]), [first, second])
    expect([joined(first), joined(second)]).toEqual([
      { one: 'of the first', other: 10 },
      { other: 20 },
    ])
    const without = await partsOf(paymentPartsOf<Shown>(none, [one]), [first, second])
    expect(without(second)).toEqual({ other: 0 })
    const bare = await partsOf(paymentPartsOf<Shown>(none, []), [first])
    expect(bare(first)).toEqual(none)
  })

  it('is not guessed where two rooms have one name, or one fails', async () => {
    expect(() => paymentPartsOf<Shown>({ other: 0 }, [one, one])).toThrow('one name')
    const failing = { ...one, of: () => Promise.reject(new Error('the room fails')) }
    const parts = paymentPartsOf<Shown>({ other: 0 }, [failing, other])
    await expect(partsOf(parts, [first])).rejects.toThrow('the room fails')
  })

  it('reaches the page of a payment, its list and its export once it is registered', async () => {
    const test = await openTestGateway(TEST_SQLITE)
    onTestFinished(() => test.close())
    const { code } = await payByCard(test, 'order-1')
    await readAll(test.database, NOW_MS + MINUTE_MS)
    const asked: (readonly number[])[] = []
    const surplus: PaymentPart<'hasSurplus', boolean> = {
      name: 'hasSurplus',
      of(payments) {
        asked.push(payments.map((payment) => payment.code))
        return Promise.resolve(new Map([[code, true]]))
      },
    }
    const change: AppliedCardChange = {
      id: 'change-1',
      transactionCode: code,
      kind: 'dispute_announced',
      atMs: NOW_MS,
      amountMinor: undefined,
      detail: undefined,
    }
    const changes: PaymentPart<'cardChanges', PageParts['cardChanges']> = {
      name: 'cardChanges',
      of: () => Promise.resolve(new Map([[code, [change]]])),
    }
    const parts = {
      ...test.parts,
      listParts: paymentPartsOf<ListParts>({ hasSurplus: false }, [surplus]),
      pageParts: paymentPartsOf<PageParts>({ cardChanges: [], paidOut: [] }, [changes]),
    }
    const listing = createPaymentListing(parts)
    const finder = searchOf({ parts, gateway: { listing } }).payments
    const payments = shownPaymentsOf(parts)
    const notifications = createNotificationRecord(test.database)
    const desk = createSqlDeskStore(test.database)
    const store = shownStore({ payments, notifications, store: desk })
    const details = await store.findTransaction(MERCHANT.id, String(code))
    expect(details).toMatchObject({ cardChanges: [change] })
    const { items } = await finder.find(MERCHANT.id, {})
    expect(items).toMatchObject([{ transaction: { code }, hasSurplus: true }])
    const exported: unknown[] = []
    for await (const payment of finder.all(MERCHANT.id, {})) exported.push(payment)
    expect(exported).toEqual(items)
    expect(asked).toEqual([[code], [code]])
  })
})
