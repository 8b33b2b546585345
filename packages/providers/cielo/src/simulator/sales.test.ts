import { readFileSync } from 'node:fs'
import { DAY_MS } from '@cofre/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APPROVED, type TestCielo, openTestCielo, saleOf } from '../../test/simulated-cielo.js'
import { STATUS } from './book.js'
import { CHANGE } from './controls.js'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FACTS_FILE = new URL('../../../../../test/judges/cielo-facts.json', import.meta.url)
const FACTS = JSON.parse(readFileSync(FACTS_FILE, 'utf8')) as {
  readonly paymentStatus: Readonly<Record<string, string>>
  readonly sandboxLastDigit: Readonly<Record<string, { status: string; returnCode: string[] }>>
  readonly apiErrorsToKnow: Readonly<Record<string, string>>
  readonly changeType: Readonly<Record<string, string>>
}

describe('a sale at the simulated Cielo', () => {
  let cielo: TestCielo
  beforeAll(async () => {
    cielo = await openTestCielo()
  })
  afterAll(() => cielo.close())

  it('is authorized and captured in one call', async () => {
    const answer = await cielo.post(saleOf('order'))
    expect(answer).toMatchObject({
      status: 201,
      json: {
        MerchantOrderId: 'order',
        Customer: { Name: 'Ana Souza' },
        Payment: {
          Status: 2,
          ReturnCode: '6',
          Amount: 12_990,
          CapturedAmount: 12_990,
          Installments: 3,
          CreditCard: { CardNumber: '402400******3191', Holder: 'ANA SOUZA', Brand: 'Visa' },
        },
      },
    })
    const { Payment } = answer.json as { Payment: Record<string, string> }
    expect(Payment.PaymentId).toMatch(GUID)
    expect(Payment.ProofOfSale).toMatch(/^\d{6}$/)
    expect(Payment.AuthorizationCode).toMatch(/^\d{6}$/)
    expect(Payment.IssuerTransactionId).toMatch(/^\d{15}$/)
    expect(cielo.cielo.tallyOf('order')).toMatchObject({ charges: 1, chargedMinor: 12_990 })
  })

  it.each(Object.entries(FACTS.sandboxLastDigit))(
    'with a card that ends in %s follows the sandbox’s rule',
    async (digit, { status, returnCode }) => {
      const card = { CardNumber: `${APPROVED.slice(0, -1)}${digit}` }
      const sale = await cielo.sell(`digit-${digit}`, { Capture: false }, card)
      const expected = { authorized: STATUS.authorized, denied: STATUS.denied }[status]
      // The sandbox decides at random here; the simulator leaves the sale open.
      expect(sale.Status).toBe(expected ?? STATUS.notFinished)
      if (expected !== undefined) expect(returnCode).toContain(sale.ReturnCode)
      if (status === 'denied') expect(sale.IssuerTransactionId).toBeUndefined()
    },
  )

  it('knows the facts that were handed over', () => {
    const known = Object.values(STATUS).map(String)
    expect(Object.keys(FACTS.paymentStatus)).toEqual(expect.arrayContaining(known))
    const changes = Object.values(CHANGE).map(String)
    expect(Object.keys(FACTS.changeType)).toEqual(expect.arrayContaining(changes))
  })

  it('takes names in any case', async () => {
    const camel = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value).map(([name, field]) => [
              name.charAt(0).toLowerCase() + name.slice(1),
              camel(field),
            ]),
          )
        : value
    const answer = await cielo.post(camel(saleOf('camel')))
    expect(answer).toMatchObject({ status: 201, body: { Payment: { Status: 2 } } })
    expect(cielo.cielo.tallyOf('camel').charges).toBe(1)
  })

  it('takes first and later uses of a card, and debit', async () => {
    const onFile = (Usage: string) => ({ CardOnFile: { Usage, Reason: 'Unscheduled' } })
    const first = await cielo.sell('first', {}, onFile('First'))
    const { IssuerTransactionId } = first
    const later = { Recurrent: true, IssuerTransactionId }
    const sale = await cielo.sell('later', later, { ...onFile('Used'), SecurityCode: undefined })
    expect(cielo.cielo.controls.saleOf(sale.PaymentId)).toMatchObject({
      sentIssuerTransactionId: IssuerTransactionId,
      cardOnFile: { usage: 'Used', reason: 'Unscheduled' },
    })
    const { CreditCard: DebitCard } = saleOf('x').Payment
    const changes = { Type: 'DebitCard', DebitCard, CreditCard: undefined, Authenticate: true }
    const debit = await cielo.post(saleOf('debit', changes))
    expect(debit.json).toMatchObject({
      Payment: { Type: 'DebitCard', DebitCard: { CardNumber: '402400******3191' } },
    })
  })

  it('takes as many installments as the contract of its account allows', async () => {
    const sale = (Installments: number) => saleOf(`in-${Installments}`, { Installments })
    const refused = await cielo.post(sale(13))
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([
      400,
      expect.stringContaining('123'),
    ])
    const { merchantId, merchantKey } = await cielo.openAccount({
      label: 'by-contract',
      installmentsMax: 18,
    })
    const headers = { MerchantId: merchantId, MerchantKey: merchantKey.reveal() }
    const path = '/1/sales'
    const statuses = [18, 19].map(async (count) => {
      const call = { method: 'POST', path, body: sale(count), headers }
      return (await cielo.call(call)).status
    })
    expect(await Promise.all(statuses)).toEqual([201, 400])
  })

  it('refuses a later use without the ids of an earlier one, if it is strict', async () => {
    const master = { CardNumber: '5555555555554444', Brand: 'Master' }
    const onFile = (Usage: string) => ({ ...master, CardOnFile: { Usage } })
    const first = await cielo.sell('mc-first', {}, onFile('First'))
    const { IssuerTransactionId, TransactionLinkId = '' } = first
    expect(TransactionLinkId).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const found = await cielo.get(`/${first.PaymentId}`)
    expect(found.body.Payment).toMatchObject({ TransactionLinkId, IssuerTransactionId })
    const sell = async (order: string, links: object = {}) =>
      (await cielo.sell(order, links, onFile('Used'))).Status
    expect(await sell('free')).toBe(STATUS.confirmed)
    cielo.cielo.conditions.links = 'strict'
    const ends = [
      await sell('none'),
      await sell('no-link', { IssuerTransactionId }),
      await sell('unknown', { IssuerTransactionId, TransactionLinkId: 'x'.repeat(22) }),
      await sell('both', { IssuerTransactionId, TransactionLinkId }),
    ]
    cielo.cielo.conditions.links = 'free'
    expect(ends).toEqual([STATUS.denied, STATUS.denied, STATUS.denied, STATUS.confirmed])
  })

  it('answers the ECI of a 3-DS result, and keeps no CAVV', async () => {
    const ExternalAuthentication = { Cavv: 'AAABBJg0VhI0VniQEjRWAAAAAAA=', Eci: '05', Version: '2' }
    const sale = await cielo.sell('3ds', { Authenticate: true, ExternalAuthentication })
    expect(sale).toMatchObject({ Eci: '05' })
    const kept = JSON.stringify([...cielo.cielo.book.sales.values()])
    expect(kept).not.toContain(ExternalAuthentication.Cavv)
  })

  it('keeps and answers no whole card number, and no CVV', async () => {
    const { text } = await cielo.post(saleOf('hidden', {}, { SecurityCode: '987' }))
    const kept = JSON.stringify([...cielo.cielo.book.sales.values()])
    for (const seen of [text, kept]) expect(seen).not.toContain(APPROVED)
    expect(text).not.toContain('SecurityCode')
  })

  it.each([
    ['no order', { ...saleOf('x'), MerchantOrderId: undefined }, 122],
    ['no payment', { MerchantOrderId: 'x' }, 119],
    ['an unknown way to pay', saleOf('x', { Type: 'Pix' }), 173],
    ['no type', saleOf('x', { Type: undefined }), 102],
    ['an amount of nothing', saleOf('x', { Amount: 0 }), 108],
    ['no installments', saleOf('x', { Installments: 0 }), 123],
    ['thirteen installments', saleOf('x', { Installments: 13 }), 123],
    ['no card', saleOf('x', { CreditCard: undefined }), 124],
    ['a short number', saleOf('x', {}, { CardNumber: '402400' }), 213],
    ['a long number', saleOf('x', {}, { CardNumber: '4'.repeat(20) }), 128],
    ['a month that is none', saleOf('x', {}, { ExpirationDate: '13/2030' }), 126],
    ['a long CVV', saleOf('x', {}, { SecurityCode: '12345' }), 146],
    ['no brand', saleOf('x', {}, { Brand: undefined }), 182],
    ['a made-up brand', saleOf('x', {}, { Brand: 'Cofre' }), 185],
    ['a holder with accents', saleOf('x', {}, { Holder: 'JOÃO' }), 214],
    ['a holder of 26 letters', saleOf('x', {}, { Holder: 'A'.repeat(26) }), 214],
    ['no body', 'nothing', 184],
  ])('with %s is not carried out', async (_, body, code) => {
    const answer = await cielo.post(body)
    expect(answer).toMatchObject({ status: 400, json: [{ Code: code }] })
    expect(answer.text).not.toContain(APPROVED)
    expect(cielo.cielo.tallyOf('x').attempts).toBe(0)
  })

  it('reports all errors at once, and only with known codes', async () => {
    const { json } = await cielo.post(saleOf('x', { Amount: -1 }, { Brand: 'x', Holder: '1' }))
    expect((json as { Code: number }[]).map(({ Code }) => Code).toSorted()).toEqual([108, 185, 214])
  })

  it.each([
    ['an id that is none', { MerchantId: 'x' }, 400, 114],
    ['an unknown id', { MerchantId: '00000000-0000-0000-0000-000000000000' }, 401, 115],
    ['no key', { MerchantKey: '' }, 401, 131],
    ['a wrong key', { MerchantKey: 'X'.repeat(40) }, 401, 132],
  ])('with %s is refused', async (_, headers, status, Code) => {
    const answer = await cielo.post(saleOf('x'), headers)
    expect(answer).toMatchObject({ status, json: [{ Code }] })
  })

  it('names codes that the handed-over facts know, where they know them', async () => {
    for (const code of [
      '114',
      '115',
      '131',
      '132',
      '213',
      '214',
      '307',
      '308',
      '309',
      '312',
      '318',
    ])
      expect(FACTS.apiErrorsToKnow).toHaveProperty(code)
    const answer = await cielo.post(saleOf('echo'), { RequestId: 'r-1' })
    expect(answer.headers.requestid).toBe('r-1')
  })

  it('is found by its id and its order, in every attempt, by its own account alone', async () => {
    const denied = await cielo.sell('found', {}, { CardNumber: `${APPROVED.slice(0, -1)}2` })
    cielo.clock.advance(1_000)
    const paid = await cielo.sell('found')
    const found = await cielo.get(`/${paid.PaymentId}`)
    expect(found.body.Payment).toMatchObject({ Status: 2, CapturedAmount: 12_990 })
    const list = await cielo.get('?merchantOrderId=found')
    expect(list.json).toMatchObject({
      Payment: [{ PaymentId: paid.PaymentId }, { PaymentId: denied.PaymentId }],
    })
    expect(list.text).toContain('ReceveidDate')
    const other = await cielo.openAccount({ label: 'other' })
    const headers = { MerchantId: other.merchantId, MerchantKey: other.merchantKey.reveal() }
    const at = { method: 'GET', path: `/1/sales/${paid.PaymentId}`, port: cielo.queryPort }
    expect((await cielo.call({ ...at, headers })).status).toBe(404)
    await expect(cielo.openAccount({ label: 'other' })).rejects.toThrow(RangeError)
  })

  it('is found late where queries lag, and not at all after three months', async () => {
    cielo.cielo.conditions.queryLagMs = 60_000
    const { PaymentId } = await cielo.sell('lag')
    expect(await cielo.get(`/${PaymentId}`)).toMatchObject({ status: 404, json: [{ Code: 307 }] })
    const byOrder = await cielo.get('?merchantOrderId=lag')
    expect(byOrder).toMatchObject({ status: 404, json: [{ Code: 318 }] })
    cielo.clock.advance(60_000)
    expect((await cielo.get('?merchantOrderId=lag')).status).toBe(200)
    cielo.cielo.conditions.queryLagMs = 0
    cielo.clock.advance(91 * DAY_MS)
    expect((await cielo.get('?merchantOrderId=lag')).status).toBe(404)
  })

  it('is written and read at hosts of their own', async () => {
    const read = await cielo.call({ method: 'GET', path: '/1/sales?merchantOrderId=order' })
    expect(read.status).toBe(405)
    const write = { method: 'POST', path: '/1/sales', body: {}, port: cielo.queryPort }
    expect((await cielo.call(write)).status).toBe(405)
    expect((await cielo.get('/none')).status).toBe(404)
  })
})

describe('a Zero Auth at the simulated Cielo', () => {
  let cielo: TestCielo
  beforeAll(async () => {
    cielo = await openTestCielo()
  })
  afterAll(() => cielo.close())

  const check = (changes: object = {}) => {
    const { CreditCard } = saleOf('none').Payment
    const body = { ...CreditCard, ...changes }
    return cielo.call({ method: 'POST', path: '/1/zeroauth', body })
  }

  it.each(Object.entries(FACTS.sandboxLastDigit))(
    'with a card that ends in %s follows the sandbox’s rule',
    async (digit, { status, returnCode }) => {
      const { json } = await check({ CardNumber: `${APPROVED.slice(0, -1)}${digit}` })
      const answer = json as Record<string, string>
      expect(answer.Valid).toBe(status === 'authorized')
      if (status === 'denied') expect(returnCode).toContain(answer.ReturnCode)
      if (status === 'authorized') expect(answer.IssuerTransactionId).toMatch(/^\d{15}$/)
    },
  )

  it('refuses brands that Cielo does not check, and faulty cards', async () => {
    expect(await check({ Brand: 'Amex' })).toMatchObject({ status: 400, json: [{ Code: 57 }] })
    expect(await check({ CardNumber: '1' })).toMatchObject({ status: 400, json: [{ Code: 213 }] })
  })

  it('gives an id that a later sale may name', async () => {
    cielo.cielo.conditions.links = 'strict'
    const { IssuerTransactionId } = (await check()).json as Record<string, string>
    const used = { CardOnFile: { Usage: 'Used', Reason: 'Unscheduled' } }
    expect(await cielo.sell('linked', { IssuerTransactionId }, used)).toMatchObject({ Status: 2 })
    expect(await cielo.sell('unlinked', {}, used)).toMatchObject({ Status: 3 })
  })
})
