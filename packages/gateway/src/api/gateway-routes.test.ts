import { SECOND_MS, Secret } from '@cofre/contracts'
import { TEST_ENGINES } from '@cofre/sql/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  MERCHANT,
  NOW_MS,
  cardRequest,
  openTestGateway,
  type TestGateway,
} from '../gateway.fixture.js'

const [sqlite] = TEST_ENGINES

describe('the gateway over HTTP', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(sqlite!)
  })
  afterEach(() => test.close())

  const post = (headers: Record<string, string | undefined>) =>
    test.send('POST', '/transactions', { body: cardRequest('order-1'), headers })

  it.each([
    ['no Authorization', undefined, 10001],
    ['an Authorization without a colon', 'store-1', 10002],
    ['an HMAC that is not one', 'store-1:abc', 10002],
    ['an HMAC in upper case', `store-1:${'A'.repeat(64)}`, 10002],
    ['a wrong HMAC', `store-1:${'0'.repeat(64)}`, 10003],
    ['an unknown store', `nobody:${'0'.repeat(64)}`, 10003],
  ])('answers %s with 401', async (_, authorization, code) => {
    expect(await post({ authorization })).toMatchObject({ status: 401, codes: [code] })
  })

  it('does not let a disabled store in', async () => {
    await test.gateway.saveMerchant({ ...MERCHANT, enabled: false })
    expect(await post({})).toMatchObject({ status: 401, codes: [10003] })
  })

  it('refuses a store once it is disabled, and admits it once it is enabled', async () => {
    const asks = async () => (await test.send('GET', '/transactions/1')).status
    expect(await asks()).toBe(404)
    await test.gateway.saveMerchant({ ...MERCHANT, enabled: false })
    expect(await asks()).toBe(401)
    await test.gateway.saveMerchant(MERCHANT)
    expect(await asks()).toBe(404)
  })

  it('takes the body digest in either spelling', async () => {
    const first = await test.send('POST', '/transactions', {
      body: cardRequest('order-1'),
      digest: 'hex',
    })
    const second = await test.send('POST', '/transactions', {
      body: cardRequest('order-2'),
      digest: 'base64',
    })
    expect([first.status, second.status]).toEqual([201, 201])
  })

  it('accepts only the specification’s spelling when configured so', async () => {
    await test.close()
    test = await openTestGateway(sqlite!, { signatureDigest: 'spec' })
    const hex = await test.send('POST', '/transactions', {
      body: cardRequest('order-1'),
      digest: 'hex',
    })
    expect(hex).toMatchObject({ status: 401, codes: [10003] })
    expect((await post({})).status).toBe(201)
  })

  it('refuses a body that was changed after signing', async () => {
    const other = { ...MERCHANT, secret: new Secret('another secret of the store') }
    const answer = await test.send('POST', '/transactions', {
      body: cardRequest('order-1'),
      merchant: other,
    })
    expect(answer).toMatchObject({ status: 401, codes: [10003] })
  })

  it('refuses a Content-MD5 that is not the body’s', async () => {
    expect(await post({ 'content-md5': 'f'.repeat(32) })).toMatchObject({
      status: 401,
      codes: [10003],
    })
  })

  it('reports wrong headers together', async () => {
    expect(await post({ accept: undefined, 'content-type': 'text/plain' })).toMatchObject({
      status: 406,
      codes: [10201, 10302],
    })
    expect(await post({ 'content-type': undefined })).toMatchObject({ status: 415 })
  })

  it('wants the version of the interface', async () => {
    const v1 = 'application/vnd.cofre.v1+json; charset=UTF-8'
    expect(await post({ accept: v1 })).toMatchObject({ status: 406, codes: [10209] })
  })

  it('refuses an unsupported language in a search', async () => {
    const answer = await test.send('GET', '/transactions/1', {
      headers: { 'accept-language': 'de' },
    })
    expect(answer).toMatchObject({ status: 406, codes: [10401] })
  })

  it('serves a trailing slash', async () => {
    const answer = await test.send('POST', '/transactions/', { body: cardRequest('order-1') })
    expect(answer.status).toBe(201)
  })

  it('answers an unknown route in the one error shape', async () => {
    expect(await test.send('GET', '/nothing')).toMatchObject({
      status: 404,
      json: { errors: [{ code: 90001, description: 'route_not_found' }] },
    })
  })

  it('answers another method of a known path with 405 and the right ones', async () => {
    const answer = await test.send('DELETE', '/transactions')
    expect(answer).toMatchObject({ status: 405, codes: [90002] })
    expect(answer.headers.get('allow')).toBe('POST, GET')
  })

  it('refuses a body beyond the limit', async () => {
    const answer = await test.send('POST', '/transactions', { body: 'x'.repeat(300_000) })
    expect(answer).toMatchObject({ status: 413, codes: [90003] })
  })

  it('logs the cause of our own failure and keeps it out of the response', async () => {
    await test.close()
    const answer = await test.send('GET', '/transactions/1')
    expect(answer).toMatchObject({
      status: 500,
      json: { errors: [{ code: 30101, description: 'internal_server_error' }] },
    })
    expect(test.logged.join()).toContain('a request failed')
    await test.send('GET', '/transactions/4111111111111111')
    await test.send('GET', '/card/bin/4111111111111111')
    expect(test.logged.join()).not.toContain('4111111111111111')
    test = await openTestGateway(sqlite!)
  })
})

describe('the card lookups', () => {
  let test: TestGateway
  beforeEach(async () => {
    test = await openTestGateway(sqlite!)
  })
  afterEach(() => test.close())

  it('answers brand and installments of a BIN', async () => {
    const { status, json } = await test.send(
      'GET',
      '/card?bin=506699&country=BR&amount=12.00&currency=BRL',
    )
    expect(status).toBe(200)
    expect(json).toEqual({
      bin: {
        number: 506_699,
        brand: 'elo',
        cvvSize: 3,
        expirable: true,
        validationAlgorithm: 'LUHN',
        installment: true,
      },
      installments: [
        { quantity: 1, totalAmount: 12, installmentAmount: 12, interestFree: true },
        { quantity: 2, totalAmount: 12.54, installmentAmount: 6.27, interestFree: false },
      ],
    })
  })

  it.each([
    ['4111111', 411_111],
    ['41111111', 41_111_111],
    ['411111111111', 41_111_111],
    ['37828224', 378_282],
  ])('takes %s for a BIN and answers %i', async (digits, number) => {
    const { status, json } = await test.send('GET', `/card/bin/${digits}`)
    expect([status, json.bin]).toEqual([200, expect.objectContaining({ number })])
  })

  it.each([
    ['/card/bin/606282', 30302],
    ['/card?bin=606282&country=BR&amount=100&currency=BRL', 30302],
    ['/card/installments?brand=hipercard&country=BR&amount=100&currency=BRL', 30304],
  ])('leaves a brand out of %s that no account of the store charges', async (path, code) => {
    const asked: unknown[] = []
    const installmentsFor = (order: object) => {
      asked.push(order)
      return Promise.resolve(0)
    }
    Object.assign(test.parts.cards, { installmentsFor })
    const { status, json } = await test.send('GET', path)
    expect([status, json]).toMatchObject([400, { errors: [{ code }] }])
    // The brand is in the catalogue: a list of all brands would mislead.
    expect(JSON.stringify(json)).toContain('A loja não tem conta que cobre cartões hipercard')
    expect(JSON.stringify(json)).not.toContain('Um destes')
    expect(asked).toMatchObject([{ merchantId: MERCHANT.id, brand: 'hipercard' }])
  })

  it.each([
    ['names no bound', () => Promise.resolve(undefined)],
    ['is away', () => Promise.reject(new Error('away'))],
  ])('answers a lookup when the vault %s', async (_, installmentsFor) => {
    Object.assign(test.parts.cards, { installmentsFor })
    expect((await test.send('GET', '/card/bin/606282')).status).toBe(200)
  })

  it('warns once of a vault that is away, and once that it is back', async () => {
    await test.close()
    let nowMs = NOW_MS
    test = await openTestGateway(sqlite!, { machineClock: { now: () => nowMs } })
    let asked = 0
    const away = () => Promise.reject(new Error(`away ${++asked}`))
    const back = () => Promise.resolve(12)
    const lookUp = async (installmentsFor: () => Promise<number>) => {
      Object.assign(test.parts.cards, { installmentsFor })
      expect((await test.send('GET', '/card/bin/606282')).status).toBe(200)
    }
    for (let times = 0; times < 3; times++) await lookUp(away)
    expect(asked).toBe(1)
    nowMs += 5 * SECOND_MS
    await lookUp(away)
    expect(asked).toBe(2)
    nowMs += 5 * SECOND_MS
    for (let times = 0; times < 2; times++) await lookUp(back)
    const lines = test.logged.filter((line) => line.includes('which brands'))
    expect(lines.map((line) => line.slice(0, line.indexOf(' {')))).toEqual([
      'the vault did not report which brands are charged; look-ups show all',
      'the vault reports again which brands are charged',
    ])
  })

  it('answers each lookup alone too', async () => {
    const bin = await test.send('GET', '/card/bin/606282')
    expect(bin.json).toMatchObject({ bin: { brand: 'hipercard', validationAlgorithm: 'NONE' } })
    const plan = await test.send(
      'GET',
      '/card/installments?brand=visa&country=BR&amount=100&currency=BRL',
    )
    expect(plan.json.installments).toHaveLength(12)
  })

  it.each([
    ['/card', [30301, 30305, 30307, 30309]],
    ['/card?bin=12345&country=US&amount=0&currency=USD', [30302, 30306, 30308, 30310]],
    ['/card?bin=601100&country=BR&amount=1.00&currency=BRL', [30302]],
    ['/card/bin/', [30301]],
    ['/card/bin/000000', [30302]],
    // These may be whole card numbers.
    ['/card/bin/4222222222222', [30302]],
    ['/card/bin/4111111111111111', [30302]],
    ['/card/installments', [30303, 30305, 30307, 30309]],
    ['/card/installments?brand=jcb&country=BR&amount=1.001&currency=BRL', [30304, 30308]],
  ])('answers %s with %j', async (target, codes) => {
    expect(await test.send('GET', target)).toMatchObject({ status: 400, codes })
  })
})
