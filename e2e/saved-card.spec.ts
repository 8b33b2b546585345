import { expect } from '@playwright/test'
import {
  APPROVED_CARD,
  fillCard,
  fillPayer,
  goToCheckout,
  pay,
  payWithSavedCard,
  test,
} from './story.js'

test('a shopper saves the card and buys again with its code', async ({ page, story }) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await page.getByLabel('Salvar meu cartão para a próxima compra').check()
  await pay(page)
  await expect(page.getByText('Seu cartão foi salvo para a próxima compra.')).toBeVisible()

  await payWithSavedCard(page, story)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  const bodies = story.gatewayRequests
    .filter(({ target }) => target === '/transactions')
    .map(
      ({ body }) => JSON.parse(body) as { charge: { 'payment-info': Record<string, unknown> }[] },
    )
  expect(bodies.map(({ charge }) => Object.keys(charge[0]?.['payment-info'] ?? {}).sort())).toEqual(
    [
      ['installments', 'save', 'token'],
      ['code', 'installments'],
    ],
  )
})
