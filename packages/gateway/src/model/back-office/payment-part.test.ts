import { MINUTE_MS, minorUnits } from '@cofre/contracts'
import { TEST_SQLITE, type TestEngine } from '@cofre/sql/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createNotificationRecord } from '../../../../notifications/src/index.js'
import { shownStore } from '../../../../operator/src/back-office.js'
import { createSqlDeskStore } from '../../../../operator/src/sql/desk-store-sql.js'
import { createListParts, createPageParts } from '../../create-payment-parts.js'
import {
  MERCHANT,
  NOW_MS,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../../gateway.fixture.js'
import { intentOf } from '../../intent.fixture.js'
import { readAll } from '../../../../search/src/sql/search-index.fixture.js'
import { applyCardChanges } from '../../payment/card-return-service.js'
import { lookAtCharges } from '../../payment/charge-look-service.js'
import { createPaymentListing } from '../../payment/payment-listing-service.js'
import { openPixGateway } from '../../payment/pix-bank.fixture.js'
import type { AppliedCardChange } from '../card/card-change.js'
import type { TransactionCode } from '../transaction/transaction.js'
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

function partNamed(
  parts: readonly PaymentPart<string, unknown>[],
  name: string,
): PaymentPart<string, unknown> {
  return parts.find((part) => part.name === name)!
}

async function payByCard({ send, parts }: Pick<TestGateway, 'send' | 'parts'>, reference: string) {
  await send('POST', '/transactions', { body: cardRequest(reference) })
  return (await parts.transactions.findByReference(MERCHANT.id, reference))!
}

/** A payment with something beside its order, one that is not paid, and one by card. */
async function openPaidAtBank(engine: TestEngine) {
  const pix = await openPixGateway(engine)
  onTestFinished(() => pix.close())
  await pix.create('order-1')
  const having = (await pix.find('order-1'))!
  pix.bank.pay(700)
  await pix.gateway.noticeOf('bank-1', [pix.bank.txid])
  await lookAtCharges(pix.parts)
  return { pix, having, foreign: await payByCard(pix, 'order-3') }
}

describePaymentPart('bankCharge', {
  value: {
    accountId: 'bank-1',
    accountLabel: 'Bank of the tests',
    payments: [{ amountMinor: 700, purpose: 'other-amount' }],
  },
  async open(engine) {
    const { pix, having, foreign } = await openPaidAtBank(engine)
    const lacking = { ...having, code: 1 as TransactionCode }
    return {
      part: partNamed(createPageParts(pix.parts).parts, 'bankCharge'),
      having,
      lacking,
      foreign,
    }
  },
})

describePaymentPart('hasSurplus', {
  value: true,
  async open(engine) {
    const { pix, having, foreign } = await openPaidAtBank(engine)
    await pix.create('order-2')
    const lacking = (await pix.find('order-2'))!
    return {
      part: partNamed(createListParts(pix.parts).parts, 'hasSurplus'),
      having,
      lacking,
      foreign,
    }
  },
})

describePaymentPart('cardChanges', {
  value: [{ kind: 'dispute_announced', amountMinor: 10_000, detail: 'fraud 10.4' }],
  otherwise: [],
  async open(engine) {
    const pix = await openPixGateway(engine)
    onTestFinished(() => pix.close())
    const having = await payByCard(pix, 'order-1')
    pix.changes.push({
      id: 'change-1',
      transactionCode: String(having.code),
      change: { kind: 'dispute_announced', amountMinor: minorUnits(10_000) },
      detail: 'fraud 10.4',
      atMs: NOW_MS,
    })
    await applyCardChanges(pix.parts, STOPPED)
    await pix.create('order-3')
    return {
      part: partNamed(createPageParts(pix.parts).parts, 'cardChanges'),
      having,
      lacking: await payByCard(pix, 'order-2'),
      foreign: (await pix.find('order-3'))!,
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
      pageParts: paymentPartsOf<PageParts>({ cardChanges: [] }, [changes]),
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
