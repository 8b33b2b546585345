import { expect } from '@playwright/test'
import { APPROVED_CARD, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

test('a shopper buys with a card and sees the paid order', async ({ page, story }) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)

  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  await expect(page.getByText('Vale-presente')).toBeVisible()
  await expect(page.getByText(/final 1111/)).toBeVisible()
  const paid = story.gatewayRequests.find(({ target }) => target === '/transactions')
  expect(JSON.parse(paid?.body ?? '{}')).toMatchObject({
    charge: [
      {
        amount: 100,
        'payment-info': { token: expect.stringMatching(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/) },
      },
    ],
  })
})

test('a shopper pays in three installments', async ({ page, story }) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await page.getByLabel('Parcelas').selectOption('3')
  await expect(page.getByLabel('Parcelas')).toContainText('total R$ 106,05')
  await pay(page)

  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  await expect(page.getByText(/3x de R\$\s35,35/)).toBeVisible()
})

test('a shopper has something shipped, in English', async ({ page, story }) => {
  await page.goto(story.shopUrl)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByTestId('product-cafe-alvorada').getByRole('button').click()
  await page.goto(`${story.shopUrl}/checkout`)
  await page.getByRole('button', { name: 'Fill with test data' }).click()
  await page.getByRole('button', { name: /^Pay R/ }).click()

  await expect(page.getByRole('heading', { name: 'Payment approved' })).toBeVisible()
})
