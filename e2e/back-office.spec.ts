import { expect } from '@playwright/test'
import { cardPurchase, depositCard, merchantAt } from './shop-request.js'
import { test } from './story.js'

/** The test store sends Elo to Cielo. */
const ELO_CARD = { number: '5066991111111050', cvv: '737' }
const NOTIFIED = { 'notify-url': 'http://127.0.0.1:9/notifications' }

test('a back office reads the fiscal facts of a card sale, and refunds it', async ({ story }) => {
  const { ports } = story.cofre
  const merchant = merchantAt(ports.api)
  const token = await depositCard(ports, ELO_CARD)
  const sale = cardPurchase(`fiscal-${Date.now()}`, { token, installments: 1 })
  const { transaction } = await merchant.createTransaction(sale)
  const { code, reference } = transaction

  const payment = await merchant.findPayment(code)
  expect(payment).toMatchObject({
    code,
    reference,
    status: 'COMPLETE',
    method: 'credit-card',
    card: {
      brand: 'elo',
      'last-four': '1050',
      acquirer: { name: 'Cielo', cnpj: '01027058000191' },
    },
  })
  expect(payment.card?.acquirer?.nsu).toMatch(/^\d+$/)
  expect(payment.card?.acquirer?.['authorization-code']).toMatch(/^\w+$/)
  expect(payment.card?.acquirer?.account.name).not.toBe('')
  expect((await merchant.listPayments({ reference })).payments).toMatchObject([{ code }])

  await merchant.createRefund({ 'transaction-id': code, ...NOTIFIED })
  const { refunds } = await merchant.listRefunds({ 'transaction-code': code })
  expect(refunds).toMatchObject([{ 'transaction-code': code, amount: payment.amount }])
  const refunded = await merchant.findPayment(code)
  expect(refunded.refunds.map((one) => one['refund-id'])).toEqual(
    refunds.map((one) => one['refund-id']),
  )
  // The search of payers reads an index.
  const search = { 'payer-email': sale.payer.email, reference }
  await expect
    .poll(async () => (await merchant.searchPayments(search)).payments.map((one) => one.code))
    .toEqual([code])
  await expect(merchant.cancelPayment(code)).rejects.toThrow('90601')
})

test('a back office saves a card without a charge, charges it, and deletes it', async ({
  story,
}) => {
  const { ports } = story.cofre
  const merchant = merchantAt(ports.api)
  const token = await depositCard(ports, ELO_CARD)
  const reference = `saved-${Date.now()}`
  const { name, document } = cardPurchase(reference, { token, installments: 1 }).payer
  const email = `saved-${Date.now()}@example.com`
  const payer = { name, document, email, ip: '203.0.113.77' }

  const checked = await merchant.saveCard({ token, payer })
  expect(checked).toMatchObject({
    'saved-card': { brand: 'elo', 'last-four': '1050', chargeable: true },
  })
  const code = checked['saved-card']?.code ?? ''
  expect(await merchant.saveCard({ token, payer })).toEqual(checked)

  const sale = cardPurchase(reference, { code, installments: 1 })
  const { transaction } = await merchant.createTransaction({
    ...sale,
    payer: { ...sale.payer, email },
  })
  expect(transaction.status).toBe('PAID')
  const search = { 'payer-email': email }
  const found = (await merchant.searchSavedCards(search))['saved-cards'][0]
  expect(found).toMatchObject({ code, chargeable: true })
  expect(found?.['date-last-used']).not.toBeNull()
  expect(await merchant.deleteSavedCard(code)).toMatchObject({ code })
  await expect(merchant.findSavedCard(code)).rejects.toThrow('90604')
  expect((await merchant.searchSavedCards(search))['saved-cards']).toEqual([])
})
