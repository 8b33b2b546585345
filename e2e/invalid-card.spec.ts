import { expect } from '@playwright/test'
import { APPROVED_CARD, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

test('a shopper with a mistyped card sees what to correct, and then pays', async ({
  page,
  story,
}) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByLabel('Número do cartão').fill('4111 1111 1111 1112')
  await page.getByLabel('Validade').fill('01/20')
  await page.getByLabel('CVV').fill('1')
  await pay(page)

  await expect(page.getByLabel('Número do cartão')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Validade')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('CVV')).toHaveAttribute('aria-invalid', 'true')
  expect(story.gatewayRequests.filter(({ target }) => target === '/transactions')).toEqual([])

  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})
