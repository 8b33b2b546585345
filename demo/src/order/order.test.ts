import { MerchantConnectionError } from '@cofre/merchant'
import { describe, expect, it } from 'vitest'
import { FIRST_CODE, searchElement } from '../merchant-client.fixture.js'
import { openShopForTest, payAt, shopWithOrder, textByTestId } from '../shopper.fixture.js'

describe('a notification', () => {
  it('makes the shop read the transaction and update the order', async () => {
    const { notify, stateShown } = await shopWithOrder('PENDING')
    expect(await stateShown()).toBe('pending')
    expect((await notify({ status: 'COMPLETE' })).status).toBe(200)
    expect(await stateShown()).toBe('paid')
  })

  it('of a refund does so too', async () => {
    const { merchant, reference, post, stateShown } = await shopWithOrder('PAID')
    merchant.known.set(FIRST_CODE, searchElement(reference, 'REFUNDED'))
    const body = `{"notification-type":"refund","refund-id":7,"transaction-id":${FIRST_CODE}}`
    expect((await post(body, 'application/json')).status).toBe(200)
    expect(await stateShown()).toBe('refunded')
  })

  it('never takes an order back to an older status', async () => {
    const { notify, stateShown } = await shopWithOrder('PENDING')
    await notify({ status: 'COMPLETE' })
    await notify({ status: 'PENDING', 'last-status-change-date': '2026-09-01T12:01:00.000-03:00' })
    expect(await stateShown()).toBe('paid')
  })

  it('keeps calling a declined order declined', async () => {
    const { notify, stateShown } = await shopWithOrder('REJECTED')
    await notify({ status: 'CANCELLED' })
    expect(await stateShown()).toBe('rejected')
  })

  it('is asked for again while the service cannot be asked', async () => {
    const { merchant, notify } = await shopWithOrder('PENDING')
    merchant.findTransaction = () => Promise.reject(new MerchantConnectionError('network'))
    expect((await notify({})).status).toBe(503)
  })

  it.each([
    ['about nothing known', 'transaction-code=1&notification-type=transaction', 404],
    ['that is none', 'hello=world', 400],
  ])('%s changes nothing', async (_, body, status) => {
    const { post, stateShown } = await shopWithOrder('PENDING')
    expect((await post(body)).status).toBe(status)
    expect(await stateShown()).toBe('pending')
  })
})

describe('an order whose answer was lost', () => {
  const lost = new MerchantConnectionError('time-out')

  it('is found by its reference, and then empties the cart', async () => {
    const { merchant, shopper, reference, stateShown } = await shopWithOrder(lost)
    merchant.known.set(FIRST_CODE, searchElement(reference, 'COMPLETE'))
    const { html } = await shopper.get(`/orders/${reference}?check=yes`)
    expect(html).toContain('Pagamento aprovado')
    expect(textByTestId(html, 'cart-count')).toBe('0')
    expect(await stateShown()).toBe('paid')
  })

  it('stays unknown while its request may still be under way, then never happened', async () => {
    const { shopper, reference, clock } = await shopWithOrder(lost)
    const early = await shopper.get(`/orders/${reference}?check=yes`)
    expect(early.html).toContain('data-state="unknown"')
    clock.nowMs += 5 * 60 * 1000
    const late = await shopper.get(`/orders/${reference}?check=yes`)
    expect(late.html).toContain('data-state="rejected"')
    expect(textByTestId(late.html, 'cart-count')).toBe('1')
  })

  it('stays unknown while the service cannot be asked', async () => {
    const { merchant, shopper, reference, clock } = await shopWithOrder(lost)
    merchant.findByReference = () => Promise.reject(lost)
    clock.nowMs += 5 * 60 * 1000
    const { html } = await shopper.get(`/orders/${reference}?check=yes`)
    expect(html).toContain('data-state="unknown"')
  })

  it('is looked for by its page while that is open', async () => {
    const { shopper, reference, clock } = await shopWithOrder(lost)
    const page = async () => (await shopper.get(`/orders/${reference}`)).html
    expect(await page()).toContain('data-poll-ms="10000"')
    expect(await page()).toContain('data-state="unknown"')
    clock.nowMs += 5 * 60 * 1000
    expect(await page()).toContain('data-state="rejected"')
  })

  it('is settled by its notification too', async () => {
    const { notify, stateShown } = await shopWithOrder(lost)
    await notify({ status: 'COMPLETE' })
    expect(await stateShown()).toBe('paid')
  })
})

describe('the pages of an order', () => {
  it('are for the browser that placed it', async () => {
    const { newShopper, shopper, reference } = await shopWithOrder('PAID')
    const stranger = newShopper()
    // The stranger has their own session.
    await stranger.post('/cart/items', { product: 'vale-presente' })
    for (const path of [`/orders/${FIRST_CODE}`, `/orders/${reference}`]) {
      expect((await shopper.get(path)).status).toBe(200)
      expect((await stranger.get(path)).status).toBe(404)
    }
    expect((await stranger.get(`/orders/${reference}?check=yes`)).status).toBe(404)
    expect((await stranger.get('/orders')).html).not.toContain(FIRST_CODE)
  })

  it('list the orders', async () => {
    const { shopper } = await shopWithOrder('PAID')
    const { html } = await shopper.get('/orders')
    expect(html).toContain(`href="/orders/${FIRST_CODE}"`)
    expect(html).toContain('data-state="paid"')
  })
})

describe('a paid order', () => {
  const acquirers = [
    { name: 'Adyen', url: 'http://127.0.0.1:8090' },
    { name: 'Cielo', url: 'http://127.0.0.1:8091' },
  ]

  it.each([
    ['production', { acquirers }, 'href="http://127.0.0.1:8091"'],
    ['sandbox', {}, `Reembolse este pedido no`],
  ] as const)('of %s leads to where it is refunded', async (environment, place, link) => {
    const shop = openShopForTest({ environment, ...place })
    const shopper = shop.newShopper()
    await shopper.post('/cart/items', { product: 'vale-presente' })
    await payAt(shopper)
    const { html } = await shopper.get(`/orders/${FIRST_CODE}`)
    expect(html).toContain(link)
    expect(html.split('acquirer-link')).toHaveLength('acquirers' in place ? 3 : 1)
  })
})
