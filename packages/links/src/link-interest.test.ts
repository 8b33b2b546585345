import { DAY_MS, HOUR_MS, minorUnits } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS } from '../../gateway/src/gateway.fixture.js'
import type { WantedInterest } from '../../gateway/src/model/card/store-interest.js'
import { type LinkGateway, openLinks } from './links.fixture.js'
import { linkRequest, makeLink, orderOf } from './payment-link.fixture.js'

const OPERATOR = 'operator:ana'
const NO_INTEREST = { monthlyRate: 0, interestFree: 1 }
const [sqlite] = TEST_ENGINES

describe('the interest of a store, at its links', () => {
  let test: LinkGateway
  let nowMs = NOW_MS
  beforeAll(async () => {
    test = await openLinks(sqlite!, { machineClock: { now: () => nowMs } })
  })
  afterAll(() => test.close())

  const change = (wanted: WantedInterest) =>
    test.parts.merchants.changeInterest(MERCHANT.id, wanted, OPERATOR)
  /** Replaces the current terms, and the prices derived from them. */
  const begin = async (wanted: WantedInterest): Promise<void> => {
    await change({ terms: null })
    await change(wanted)
    nowMs += DAY_MS
  }

  it('is what the page of a payment link shows, and is charged as it has shown', async () => {
    await begin({ terms: NO_INTEREST })
    const { code } = await makeLink(test, linkRequest('link-1', { usage: 'many' }))
    const shown = await test.room.paymentPage.find(code)
    expect(shown?.installments[2]?.totalMinor).toBe(10_000)
    await change({ terms: null })
    nowMs += HOUR_MS
    const order = { ...orderOf('credit-card'), card: { token: 'a.b.c.d.e', installments: 3 } }
    expect(await test.room.paymentPage.pay(code, order)).toMatchObject({ kind: 'try' })
    expect(test.orders.at(-1)).toMatchObject({ amountMinor: 10_000, installments: 3 })
  })

  it('is never charged dearer than the page of a link has shown, however old that page is', async () => {
    await begin({ terms: NO_INTEREST })
    const { code } = await makeLink(test, linkRequest('link-old', { usage: 'many' }))
    await change({ terms: null })
    nowMs += 3 * HOUR_MS
    const pay = (shownMinor: number) => {
      const card = { token: 'a.b.c.d.e', installments: 3, shownMinor: minorUnits(shownMinor) }
      return test.room.paymentPage.pay(code, { ...orderOf('credit-card'), card })
    }
    const asked = test.orders.length
    const failure = { property: 'charge[0].payment-info.installments', cause: 'price' }
    expect(await pay(10_604)).toMatchObject({ kind: 'invalid', failures: [failure] })
    expect(test.orders).toHaveLength(asked)
    for (const shownMinor of [10_605, 99_999]) {
      expect(await pay(shownMinor)).toMatchObject({ kind: 'try' })
      expect(test.orders.at(-1)).toMatchObject({ amountMinor: 10_605, installments: 3 })
    }
  })

  it('offers more than 12 installments where the store has requested it alone', async () => {
    await test.parts.merchants.change(MERCHANT.id, { installmentsMax: 18 }, OPERATOR)
    expect(await makeLink(test, linkRequest('link-18'))).toMatchObject({ installments: 18 })
    await test.parts.merchants.change(MERCHANT.id, { installmentsMax: undefined }, OPERATOR)
  })
})
