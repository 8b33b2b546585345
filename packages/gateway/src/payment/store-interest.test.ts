import { DAY_MS, HOUR_MS, SECOND_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  type TestAnswer,
  type TestGateway,
  cardRequest,
  openTestGateway,
} from '../gateway.fixture.js'
import type { WantedInterest } from '../model/card/store-interest.js'

const OPERATOR = 'operator:ana'
const NO_INTEREST = { monthlyRate: 0, interestFree: 1 }
const [sqlite] = TEST_ENGINES

describe('the interest of a store', () => {
  let test: TestGateway
  let nowMs = NOW_MS
  let orders = 0
  beforeAll(async () => {
    test = await openTestGateway(sqlite!, { machineClock: { now: () => nowMs } })
  })
  afterAll(() => test.close())

  const change = (wanted: WantedInterest) =>
    test.parts.merchants.changeInterest(MERCHANT.id, wanted, OPERATOR)
  /** Ends the present terms and their shown prices. */
  const begin = async (wanted: WantedInterest): Promise<void> => {
    await change({ terms: null })
    await change({ brand: 'elo', terms: null })
    await change(wanted)
    nowMs += DAY_MS
  }
  const thirdOf = ({ json }: TestAnswer) =>
    (json.installments as { totalAmount: number }[])[2]?.totalAmount
  const lookUp = async (brand = 'visa') =>
    thirdOf(
      await test.send(
        'GET',
        `/card/installments?brand=${brand}&country=BR&amount=100&currency=BRL`,
      ),
    )
  const charged = async (brand?: string) => {
    const body = cardRequest(`order-${++orders}`, { installments: 3 })
    Object.assign(body.charge[0]!['payment-method'], brand && { 'sub-type': brand })
    const { status } = await test.send('POST', '/transactions', { body })
    return status === 201 ? test.orders.at(-1)!.amountMinor : status
  }

  it('is that of its brand in look-ups by brand and by BIN, and in what is charged', async () => {
    await begin({ brand: 'elo', terms: NO_INTEREST })
    expect([await lookUp('visa'), await lookUp('elo')]).toEqual([106.05, 100])
    const target = '/card?bin=506699&country=BR&amount=100&currency=BRL'
    expect(thirdOf(await test.send('GET', target))).toBe(100)
    expect([await charged('visa'), await charged('elo')]).toEqual([10_605, 10_000])
    // The shop may have shown the price of any brand.
    expect(await charged()).toBe(10_000)
  })

  it('is charged as a look-up has shown it for an hour, and not for two', async () => {
    await begin({ terms: NO_INTEREST })
    expect(await lookUp()).toBe(100)
    await change({ terms: null })
    nowMs += SECOND_MS
    expect(await lookUp()).toBe(106.05)
    nowMs += HOUR_MS - SECOND_MS
    expect(await charged('visa')).toBe(10_000)
    nowMs += HOUR_MS
    expect(await charged('visa')).toBe(10_605)
  })

  it('is in the log of its changes, and changes nothing of another store', async () => {
    await begin({ terms: { monthlyRate: 0.01, interestFree: 2 } })
    const [latest] = await test.parts.merchants.listChanges({ id: MERCHANT.id, limit: 1 })
    expect(latest).toMatchObject({ actor: OPERATOR, action: 'changed' })
    expect(JSON.stringify(latest?.settings.interest?.to)).toContain('0.01 a month, 2 free')
    expect(await test.parts.merchants.changeInterest('nobody', { terms: null }, OPERATOR)).toBe(
      undefined,
    )
  })

  it('offers more than 12 installments where the store has asked for it alone', async () => {
    const body = () => {
      const of = cardRequest(`order-${++orders}`, { installments: 18 })
      of.charge[0]!.amount = 1000
      of.cart[0]!['unit-price'] = 500
      return of
    }
    const target = '/card/installments?brand=visa&country=BR&amount=1000&currency=BRL'
    const offered = async () =>
      ((await test.send('GET', target)).json.installments as unknown[]).length
    expect(await offered()).toBe(12)
    const refused = await test.send('POST', '/transactions', { body: body() })
    expect(refused).toMatchObject({ status: 400, codes: [210_214] })
    expect(refused.text).toContain('12')
    await test.parts.merchants.change(MERCHANT.id, { installmentsMax: 18 }, OPERATOR)
    expect(await offered()).toBe(18)
    expect((await test.send('POST', '/transactions', { body: body() })).status).toBe(201)
    await test.parts.merchants.change(MERCHANT.id, { installmentsMax: undefined }, OPERATOR)
    expect(await offered()).toBe(12)
  })
})

describe('the look-ups of a store', () => {
  it('offer what its accounts take of the brand', async () => {
    const test = await openTestGateway(sqlite!)
    Object.assign(test.parts.cards, { installmentsFor: () => Promise.resolve(1) })
    const target = '/card/installments?brand=diners&country=BR&amount=1000&currency=BRL'
    const { json } = await test.send('GET', target)
    expect(json.installments).toMatchObject([{ quantity: 1 }])
    await test.close()
  })
})
