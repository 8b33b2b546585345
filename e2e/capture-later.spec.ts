import { expect } from '@playwright/test'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { test } from './story.js'

/** The test store's cards go to Adyen, but Elo to Cielo. */
const CARDS = {
  Adyen: { number: '4111111111111111', cvv: '737' },
  Cielo: { number: '5066991111111050', cvv: '737' },
} as const
const NOWHERE = 'http://127.0.0.1:9/notifications'

for (const [acquirer, card] of Object.entries(CARDS))
  test(`a shop authorizes at ${acquirer}, and captures or cancels later`, async ({ story }) => {
    const { ports } = story.cofre
    const shop = merchantAt(ports.api)
    const authorize = async (named: string) => {
      const token = await depositCard(ports, card)
      const reference = `later-${acquirer}-${named}-${Date.now()}`
      const sale = cardPurchase(reference, { token, installments: 1, capture: false })
      const [[charge], [item]] = [sale.charge, sale.cart]
      const created = await shop.createTransaction({
        ...sale,
        charge: [{ ...charge, amount: 100 }],
        cart: [{ ...item, 'unit-price': 100 }],
      })
      const { code } = created.transaction
      expect(created.transaction).toMatchObject({ status: 'PENDING' })
      expect(Date.parse(created.transaction['capture-before'] ?? '')).toBeGreaterThan(Date.now())
      expect(await shop.findPayment(code)).toMatchObject({
        status: 'AUTHORIZED',
        'captured-amount': null,
      })
      expect(await shop.findTransaction(code)).toMatchObject({ status: 'PENDING' })
      return code
    }
    const statusOf = async (code: string) => (await shop.findPayment(code)).status

    const part = await authorize('part')
    const listed = async () =>
      (await shop.listPayments({ status: 'AUTHORIZED' })).payments.map(({ code }) => code)
    await expect.poll(listed).toContain(part)
    const refund = { 'transaction-id': part, 'notify-url': NOWHERE }
    await expect(shop.createRefund({ ...refund, amount: 10 })).rejects.toThrow()
    await expect(shop.capturePayment(part, { amount: 100.01 })).rejects.toThrow()
    await shop.capturePayment(part, { amount: 40 })
    await expect.poll(() => statusOf(part)).toBe('COMPLETE')
    expect(await shop.findPayment(part)).toMatchObject({ amount: 100, 'captured-amount': 40 })
    expect(await shop.findTransaction(part)).toMatchObject({ status: 'COMPLETE', amount: '100.00' })
    await shop.capturePayment(part, { amount: 40 })
    await expect(shop.capturePayment(part, {})).rejects.toThrow()
    await expect(shop.createRefund({ ...refund, amount: 40.01 })).rejects.toThrow('20609')
    await shop.createRefund({ ...refund, amount: 40 })

    const released = await authorize('released')
    await shop.cancelPayment(released)
    await expect.poll(() => statusOf(released)).toBe('CANCELLED')
    await expect(shop.capturePayment(released, {})).rejects.toThrow()
    expect(await shop.findTransaction(released)).toMatchObject({ status: 'CANCELLED' })
  })
