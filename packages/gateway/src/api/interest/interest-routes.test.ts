import { DAY_MS, HOUR_MS, type InterestBody, MINUTE_MS } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MERCHANT, NOW_MS, type TestGateway, openTestGateway } from '../../gateway.fixture.js'
import { formatTimestamp } from '../../model/calendar/brazilian-calendar.js'
import type { Merchant } from '../../model/merchant/merchant.js'
import { INTEREST_CHANGES_MAX } from '../../model/card/store-interest.js'
import { sendSigned, signedByLibrary } from '../request/message-signature.fixture.js'

const [sqlite] = TEST_ENGINES
const OTHER_STORE: Merchant = { ...MERCHANT, id: 'store-2', name: 'Loja Dois' }
const FULL_STORE: Merchant = { ...MERCHANT, id: 'store-3', name: 'Loja Três' }
const LOOKUP = '/card/installments?brand=visa&country=BR&amount=100&currency=BRL'

describe('the interest of a store over the API', () => {
  let test: TestGateway
  let nowMs = NOW_MS
  beforeAll(async () => {
    test = await openTestGateway(sqlite!, { machineClock: { now: () => nowMs } })
    await test.gateway.saveMerchant(OTHER_STORE)
    await test.gateway.saveMerchant(FULL_STORE)
  })
  afterAll(() => test.close())

  const change = (body: unknown, merchant = MERCHANT, headers: Record<string, string> = {}) =>
    test.send('POST', '/interest/changes', { body, merchant, headers })
  const read = async (merchant = MERCHANT) =>
    (await test.send('GET', '/interest', { merchant })).json as InterestBody
  const failuresOf = ({ json }: { json: Record<string, unknown> }) =>
    (json.errors as { property: string; constraint: string }[]).map(({ property, constraint }) => [
      property,
      constraint,
    ])

  it('is that of the installation until the store changes it', async () => {
    const usual = { 'monthly-rate-percent': 2.99, 'interest-free': 1 }
    expect(await read(OTHER_STORE)).toEqual({ interest: { usual, changes: [] } })
  })

  it('is changed for all brands and for one, and back, each answered whole', async () => {
    const all = await change({ 'monthly-rate-percent': '1.5', 'interest-free': 3 })
    expect(all).toMatchObject({ status: 201 })
    const from = formatTimestamp(nowMs)
    const own = { 'monthly-rate-percent': 1.5, 'interest-free': 3, from }
    expect((all.json as InterestBody).interest.changes).toEqual([{ brand: null, ...own }])
    await change({ brand: 'amex', 'monthly-rate-percent': 0 })
    const usual = { brand: null, 'monthly-rate-percent': null, 'interest-free': null }
    const { json } = await change({ usual: true })
    expect((json as InterestBody).interest.changes).toMatchObject([
      { brand: null },
      { brand: 'amex', 'monthly-rate-percent': 0, 'interest-free': 1 },
      usual,
    ])
    expect(json).toEqual(await read())
    expect((await read(OTHER_STORE)).interest.changes).toEqual([])
  })

  it('holds from its time on, and a shown price for an hour more', async () => {
    const thirdOf = async () =>
      (
        (await test.send('GET', LOOKUP, { merchant: OTHER_STORE })).json.installments as {
          totalAmount: number
        }[]
      )[2]?.totalAmount
    const from = formatTimestamp(nowMs + DAY_MS)
    const body = { 'monthly-rate-percent': 0, from }
    expect(await change(body, OTHER_STORE)).toMatchObject({ status: 201 })
    expect(await thirdOf()).toBe(106.05)
    nowMs += DAY_MS
    expect(await thirdOf()).toBe(100)
  })

  it('takes a time without a fraction of seconds', async () => {
    const from = new Date(nowMs + DAY_MS).toISOString().replace(/\.\d+Z$/, 'Z')
    const { status } = await change({ 'monthly-rate-percent': 1, from })
    expect(status).toBe(201)
  })

  it.each([
    [{}, [['monthly-rate-percent', 'required']]],
    [
      { brand: '', 'monthly-rate-percent': 1, from: '' },
      [
        ['brand', 'invalid'],
        ['from', 'invalid'],
      ],
    ],
    [{ usual: true, 'interest-free': 2 }, [['usual', 'invalid']]],
    [{ usual: true, 'monthly-rate-percent': 2 }, [['usual', 'invalid']]],
    [
      { brand: 'jcb', 'monthly-rate-percent': 101, 'interest-free': 19, from: '2020-01-01' },
      [
        ['brand', 'invalid'],
        ['monthly-rate-percent', 'invalid'],
        ['interest-free', 'maximum'],
        ['from', 'invalid'],
      ],
    ],
    [
      { 'monthly-rate-percent': 2.99999, usual: 'yes' },
      [
        ['monthly-rate-percent', 'invalid'],
        ['usual', 'type'],
      ],
    ],
    [
      { 'monthly-rate-percent': 1, from: formatTimestamp(NOW_MS - MINUTE_MS) },
      [['from', 'invalid']],
    ],
  ])('refuses %o with each failure', async (body, failures) => {
    const before = await read()
    const answer = await change(body)
    expect(answer.status).toBe(400)
    expect(answer.codes).toEqual(failures.map(() => 90511))
    expect(failuresOf(answer)).toEqual(failures)
    expect(await read()).toEqual(before)
  })

  it.each(['"usual"', '7', 'null', '{'])('refuses a body of %s', async (body) => {
    expect(await change(body)).toMatchObject({ status: 400, codes: [90511] })
  })

  it('refuses more changes than fit', async () => {
    const body = (day: number) => ({
      'monthly-rate-percent': 1,
      from: formatTimestamp(nowMs + day * DAY_MS),
    })
    for (let day = 1; day <= INTEREST_CHANGES_MAX; day++) await change(body(day), FULL_STORE)
    const answer = await change(body(1000), FULL_STORE)
    expect(answer).toMatchObject({ status: 422, codes: [90512] })
  })

  it('is changed once by an idempotency key, and by a signature of RFC 9421', async () => {
    const key = { 'idempotency-key': 'interest-1' }
    const first = await change({ 'monthly-rate-percent': 3 }, MERCHANT, key)
    nowMs += HOUR_MS
    expect((await change({ 'monthly-rate-percent': 3 }, MERCHANT, key)).text).toBe(first.text)
    const target = '/interest/changes'
    const body = JSON.stringify({ 'monthly-rate-percent': 4 })
    const headers = await signedByLibrary('POST', target, { body, createdMs: nowMs })
    const signed = { body, headers: { 'content-type': 'application/json', ...headers } }
    expect(await sendSigned(test, ['POST', target], signed)).toMatchObject({ status: 201 })
    expect(await sendSigned(test, ['POST', target], signed)).toMatchObject({ codes: [90017] })
    expect((await read()).interest.changes.at(-1)).toMatchObject({ 'monthly-rate-percent': 4 })
  })

  it('is in the log of the store as changed by its API', async () => {
    await change({ 'monthly-rate-percent': 5 })
    const [latest] = await test.parts.merchants.listChanges({ id: MERCHANT.id, limit: 1 })
    expect(latest).toMatchObject({ actor: 'api', action: 'changed' })
  })
})
