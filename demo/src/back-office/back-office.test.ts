import { MerchantApiError, MerchantConnectionError, type SearchElement } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { FIRST_CODE, FIRST_REFUND, searchElement } from '../merchant-client.fixture.js'
import { hiddenValue, openShopForTest, payAt, textOf } from '../shopper.fixture.js'

const ORDER_PAGE = `/back-office/orders/${FIRST_CODE}`

/** A paid order of 100.00, and someone behind the counter. */
async function shopWithPaidOrder() {
  const shop = openShopForTest()
  const shopper = shop.newShopper()
  await shopper.post('/cart/items', { product: 'vale-presente' })
  const { html } = await payAt(shopper)
  const reference = textOf(html, 'order-reference')
  const tell = (over: Partial<SearchElement> = {}) =>
    shop.merchant.known.set(FIRST_CODE, { ...searchElement(reference, 'COMPLETE'), ...over })
  tell()
  const clerk = shop.newShopper()
  const refund = async (fields: Record<string, string> = {}) => {
    const attempt = hiddenValue((await clerk.get(ORDER_PAGE)).html, 'attempt')
    return clerk.submit(`${ORDER_PAGE}/refunds`, { attempt, extent: 'full', amount: '', ...fields })
  }
  return { ...shop, shopper, clerk, tell, refund }
}

const refundElement = (
  status: 'PROCESSING' | 'PROCESSED' | 'REJECTED',
  amount: string,
): SearchElement['refunds'][0] => ({
  'refund-id': FIRST_REFUND,
  'refund-status': status,
  'refund-amount': amount,
  'refund-date': '2026-09-03T12:00:00.000-03:00',
  'refund-processing-date': null,
  'refund-reference': null,
  'refund-origin': 'store',
})

describe('an order whose card was declined', () => {
  const decline = {
    reason: 'insufficient_funds',
    code: '51',
    'retry-allowed': true,
    'retry-date': '2026-09-02T12:00:00.000-03:00',
  } as const

  /** The section that says why, without its markup. */
  const declineIn = (html: string) =>
    (html.split('data-testid="decline"')[1] ?? '')
      .split('</section>')[0]
      ?.replaceAll(/<[^>]+>/g, ' ')

  async function shopWithDecline() {
    const shop = openShopForTest()
    const shopper = shop.newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    Object.assign(shop.merchant, { outcome: 'REJECTED', decline })
    const reference = textOf((await payAt(shopper)).html, 'order-reference')
    return { shop, element: searchElement(reference, 'CANCELLED') }
  }

  it('says why to the shop’s people, with the code and when to try again', async () => {
    const { shop, element } = await shopWithDecline()
    shop.merchant.known.set(FIRST_CODE, { ...element, decline })
    const { html } = await shop.newShopper().get(ORDER_PAGE)
    expect(declineIn(html)).toMatch(
      /insufficient_funds.*Falta saldo.*51.*Peça outro cartão.*2 de set. de 2026/,
    )
  })

  it('says so of one that a search told of', async () => {
    const { shop, element } = await shopWithDecline()
    const found = { reason: 'stolen_card', 'retry-allowed': false } as const
    shop.merchant.known.set(FIRST_CODE, { ...element, decline: found })
    const { html } = await shop.newShopper().get(ORDER_PAGE)
    // The service says so of codes that no list explains, too.
    expect(declineIn(html)).not.toContain('nunca')
    expect(declineIn(html)).toMatch(/stolen_card.*peça outro cartão/)
  })
})

it('leads from a card of production to the acquirers that are played, and from no other', async () => {
  const acquirers = [
    { name: 'Adyen', url: 'http://127.0.0.1:8090' },
    { name: 'Cielo', url: 'http://127.0.0.1:8091' },
  ]
  for (const [environment, links] of [
    ['production', 2],
    ['sandbox', 0],
  ] as const) {
    const shop = openShopForTest({ environment, ...(links > 0 && { acquirers }) })
    const shopper = shop.newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    const reference = textOf((await payAt(shopper)).html, 'order-reference')
    shop.merchant.known.set(FIRST_CODE, searchElement(reference, 'COMPLETE'))
    const { html } = await shop.newShopper().get(ORDER_PAGE)
    expect(html.split('acquirer-link')).toHaveLength(links + 1)
    expect(html.includes('href="http://127.0.0.1:8091"')).toBe(links > 0)
  }
})

describe('the list of orders', () => {
  it('says so when there is none', async () => {
    const { status, html } = await openShopForTest().newShopper().get('/back-office')
    expect(status).toBe(200)
    expect(html).toContain('Nenhum pedido ainda')
  })

  it('has every browser’s orders, newest first, a page at a time', async () => {
    const { newShopper, clerk } = await shopWithPaidOrder()
    for (let count = 0; count < 20; count++) {
      const shopper = newShopper()
      await shopper.post('/cart/items', { product: 'vale-presente' })
      await payAt(shopper)
    }
    const codesOf = async (query: string) =>
      [...(await clerk.get(`/back-office${query}`)).html.matchAll(/orders\/(\d+)"/g)].map(
        ([, code]) => Number(code),
      )
    const first = await codesOf('')
    expect(first).toHaveLength(20)
    expect(first).toEqual(first.toSorted((one, other) => other - one))
    expect(await codesOf('?page=2')).toEqual([Number(FIRST_CODE)])
    expect(await codesOf('?page=999')).toEqual([Number(FIRST_CODE)])
    expect(await codesOf('?page=x')).toEqual(first)
  })
})

describe('an order’s page of the back office', () => {
  it('asks the service where the order stands', async () => {
    const { clerk, tell } = await shopWithPaidOrder()
    tell({ status: 'CHARGEBACK' })
    const { html } = await clerk.get(ORDER_PAGE)
    expect(textOf(html, 'order-status')).toBe('Contestado')
    expect(html).not.toContain('name="attempt"')
  })

  it('says so when the service does not answer', async () => {
    const { clerk, merchant } = await shopWithPaidOrder()
    merchant.findTransaction = () => Promise.reject(new MerchantConnectionError('network'))
    const { html } = await clerk.get(ORDER_PAGE)
    expect(html).toContain('data-testid="not-current"')
    expect(textOf(html, 'order-status')).toBe('Pago')
  })

  it('is not there for an order that is not', async () => {
    const { clerk } = await shopWithPaidOrder()
    for (const path of ['', '/version'])
      expect((await clerk.get(`/back-office/orders/1${path}`)).status).toBe(404)
    expect((await clerk.post('/back-office/orders/1/refunds')).status).toBe(404)
  })
})

describe('what the acquirer does by itself', () => {
  it('is said of a capture that failed, where goods may have left', async () => {
    const { tell, clerk } = await shopWithPaidOrder()
    tell({ status: 'CANCELLED', 'cancellation-reason': 'capture_failed' })
    const { html } = await clerk.get(ORDER_PAGE)
    expect(textOf(html, 'order-status')).toBe('Cancelado')
    expect(html).toContain('a loja não recebe nada')
  })

  it('is said of a dispute, of which no refund is possible', async () => {
    const { tell, clerk } = await shopWithPaidOrder()
    tell({ status: 'CHARGEBACK', refunds: [refundElement('PROCESSED', '30.00')] })
    const { html } = await clerk.get(ORDER_PAGE)
    expect(html).toContain('Um pedido contestado não pode ser reembolsado')
    expect(html).not.toContain('name="attempt"')
  })

  it('is said of a refund that people made there', async () => {
    const { tell, clerk, shopper } = await shopWithPaidOrder()
    const made = { ...refundElement('PROCESSED', '30.00'), 'refund-origin': 'provider' } as const
    tell({ status: 'REFUNDED', refunds: [made] })
    const words = 'feito no banco ou na adquirente'
    expect((await clerk.get(ORDER_PAGE)).html).toContain(words)
    expect((await shopper.get(`/orders/${FIRST_CODE}`)).html).not.toContain(words)
  })

  it('is said of a refund that it makes from tomorrow', async () => {
    const { tell, clerk } = await shopWithPaidOrder()
    const date = '2026-09-04T00:10:00.000-03:00'
    tell({ refunds: [{ ...refundElement('PROCESSING', '30.00'), 'refund-earliest-date': date }] })
    expect((await clerk.get(ORDER_PAGE)).html).toContain(
      'A adquirente reembolsa a partir de 4 de set. de 2026',
    )
  })

  it('is said of a refund that failed after it was made, and may be asked for again', async () => {
    const { tell, clerk } = await shopWithPaidOrder()
    tell({ status: 'REFUNDED', refunds: [refundElement('PROCESSED', '100.00')] })
    await clerk.get(ORDER_PAGE)
    tell({ status: 'REFUNDED', refunds: [refundElement('REJECTED', '100.00')] })
    const { html } = await clerk.get(ORDER_PAGE)
    expect(html).toContain('nada voltou ao cliente')
    expect(html).toContain('name="attempt"')
  })
})

describe('a refund', () => {
  it.each([
    ['sandbox', 1],
    ['production', 0],
  ] as const)('has in %s the hint at the test bank %d times', async (environment, times) => {
    const shop = openShopForTest({ environment })
    const shopper = shop.newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    const reference = textOf((await payAt(shopper)).html, 'order-reference')
    shop.merchant.known.set(FIRST_CODE, searchElement(reference, 'COMPLETE'))
    const { html } = await shop.newShopper().get(ORDER_PAGE)
    expect(html.split('No banco de testes')).toHaveLength(1 + times)
  })

  it('of everything is asked for once, under a key, and then under way', async () => {
    const { merchant, refund, clerk } = await shopWithPaidOrder()
    const { html } = await refund({ reference: ' Xícara quebrada ' })
    const [asked] = merchant.askedRefunds
    expect(asked?.body).toEqual({
      'transaction-id': FIRST_CODE,
      'notify-url': 'https://serra.example/notifications',
      amount: 100,
      reference: 'Xícara quebrada',
    })
    expect(asked?.options?.idempotencyKey).toMatch(/^refund-[0-9a-f]{32}$/)
    expect(textOf(html, 'refund-status')).toBe('Em andamento')
    expect(html).toContain('Xícara quebrada')
    expect(html).not.toContain('name="attempt"')
    expect((await clerk.get(`${ORDER_PAGE}/version`)).html).toContain(`${FIRST_REFUND}-PROCESSING`)
  })

  it('of a part leaves the rest to be refunded', async () => {
    const { merchant, refund, tell, clerk } = await shopWithPaidOrder()
    await refund({ extent: 'partial', amount: '12,50' })
    expect(merchant.askedRefunds[0]?.body.amount).toBe(12.5)
    tell({ status: 'REFUNDED', refunds: [refundElement('PROCESSED', '12.50')] })
    const { html } = await clerk.get(ORDER_PAGE)
    expect(textOf(html, 'order-status')).toBe('Reembolsado em parte')
    expect(html.replaceAll(/\s/g, ' ')).toContain('Tudo: R$ 87,50')
    await refund()
    expect(merchant.askedRefunds[1]?.body.amount).toBe(87.5)
  })

  it('that is rejected leaves the order paid, and may be asked for again', async () => {
    const { refund, tell, app, clerk } = await shopWithPaidOrder()
    await refund({ reference: 'reject' })
    tell({ refunds: [refundElement('REJECTED', '100.00')] })
    const { status } = await app.request('/notifications', {
      method: 'POST',
      body: `{"notification-type":"refund","refund-id":${FIRST_REFUND},"transaction-id":${FIRST_CODE}}`,
      headers: { 'Content-Type': 'application/json' },
    })
    expect(status).toBe(200)
    const { html } = await clerk.get(ORDER_PAGE)
    expect(textOf(html, 'refund-status')).toBe('Não realizado')
    expect(textOf(html, 'order-status')).toBe('Pago')
    expect(html).toContain('name="attempt"')
  })

  it('with the reason of another refund of the order is another one', async () => {
    const { merchant, refund, tell } = await shopWithPaidOrder()
    await refund({ reference: 'broken', extent: 'partial', amount: '12,50' })
    tell({ refunds: [{ ...refundElement('REJECTED', '12.50'), 'refund-reference': 'broken' }] })
    await refund({ reference: 'broken', extent: 'partial', amount: '12,50' })
    expect(merchant.askedRefunds).toHaveLength(2)
  })

  it.each([
    [{ extent: 'partial', amount: '' }, 'amount_invalid'],
    [{ extent: 'partial', amount: '0,00' }, 'amount_invalid'],
    [{ extent: 'partial', amount: '-5' }, 'amount_invalid'],
    [{ extent: 'partial', amount: '1.234,50' }, 'amount_invalid'],
    [{ extent: 'partial', amount: '100,01' }, 'amount_too_high'],
    [{ reference: 'x'.repeat(65) }, 'reference_too_long'],
  ])('with %j is not asked for', async (fields, problem) => {
    const { merchant, refund } = await shopWithPaidOrder()
    const { status, html } = await refund(fields)
    expect(status).toBe(422)
    expect(html).toContain(`data-error-code="${problem}"`)
    expect(merchant.askedRefunds).toEqual([])
  })

  it.each([
    [422, 20605, undefined, 'method_refuses'],
    [409, 20607, undefined, 'already_running'],
    [422, 20608, undefined, 'amount_too_high'],
    [422, 20609, undefined, 'amount_too_high'],
    [422, 20612, undefined, 'not_allowed'],
    [422, 20613, undefined, 'not_allowed'],
    [404, 20614, undefined, 'not_found'],
    [422, 20615, undefined, 'not_paid'],
    [422, 20621, undefined, 'too_late'],
    [422, 20622, undefined, 'whole_amount_only'],
    [400, 20698, 'amount', 'amount_invalid'],
    [400, 20698, 'reference', 'reference_too_long'],
    [400, 20698, 'notify-url', 'invalid'],
    [403, 10003, undefined, 'try_later'],
    [500, 20601, undefined, 'outcome_unknown'],
  ])('that the service answers with %i %i (%s) is %s', async (status, code, property, problem) => {
    const { merchant, refund } = await shopWithPaidOrder()
    const error = { code, description: 'key', ...(property !== undefined && { property }) }
    merchant.refundOutcome = new MerchantApiError(status, [error])
    const { html } = await refund({ reference: 'Kept in the form' })
    expect(html).toContain(`data-error-code="${problem}"`)
    expect(html).toContain('value="Kept in the form"')
  })

  it('whose answer is lost is asked for again under the same key', async () => {
    const { merchant, clerk, refund } = await shopWithPaidOrder()
    merchant.refundOutcome = new MerchantConnectionError('time-out')
    const { html } = await refund()
    expect(html).toContain('data-error-code="outcome_unknown"')
    merchant.refundOutcome = 'taken'
    await clerk.submit(`${ORDER_PAGE}/refunds`, {
      attempt: hiddenValue(html, 'attempt'),
      extent: 'full',
    })
    const keys = merchant.askedRefunds.map(({ options }) => options?.idempotencyKey)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('is never asked for by another site or an old form', async () => {
    const { merchant, clerk } = await shopWithPaidOrder()
    const attempt = 'a'.repeat(32)
    const foreign = { Origin: 'https://evil.example' }
    expect((await clerk.post(`${ORDER_PAGE}/refunds`, { attempt }, foreign)).status).toBe(403)
    expect((await clerk.post(`${ORDER_PAGE}/refunds`, {})).status).toBe(404)
    expect(merchant.askedRefunds).toEqual([])
  })

  it('of an order that is not paid is not offered', async () => {
    const { clerk, tell, refund, merchant } = await shopWithPaidOrder()
    tell({ status: 'CANCELLED' })
    const { html } = await clerk.get(ORDER_PAGE)
    expect(html).toContain('Só um pedido pago pode ser reembolsado')
    await refund({ attempt: 'a'.repeat(32) })
    expect(merchant.askedRefunds).toEqual([])
  })

  it('refused leaves an address that can be opened', async () => {
    const { clerk } = await shopWithPaidOrder()
    expect(await clerk.get(`${ORDER_PAGE}/refunds`)).toMatchObject({
      status: 303,
      location: ORDER_PAGE,
    })
  })

  it.each(['%0D%0ASet-Cookie', '%00', '%2F%2Fevil.example', '%5Cevil.example'])(
    'of an order that cannot be leads back within the shop: %s',
    async (key) => {
      const { logged, newShopper } = openShopForTest()
      const { status, location } = await newShopper().get(`/back-office/orders/${key}/refunds`)
      expect([status, location]).toEqual([303, `/back-office/orders/${key}`])
      expect(logged).toEqual([])
    },
  )
})
