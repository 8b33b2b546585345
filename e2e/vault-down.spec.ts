import { expect } from '@playwright/test'
import { expectCardAsked, fieldsIn, typeCard } from './hosted-fields.js'
import { APPROVED_CARD, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

test('a shopper sees when the vault is out of reach, and pays once it is back', async ({
  page,
  story,
}) => {
  await goToCheckout(page, story)
  await page.route(`${story.vaultUrl}/sessions`, (route) => route.abort('connectionrefused'))
  await page.route(`${story.vaultUrl}/direct-tokens`, (route) => route.abort('connectionrefused'))
  await page.reload()
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)

  await expect(page.locator('[data-error-code="session_network_error"]')).toBeVisible()
  expect(story.gatewayRequests.filter(({ target }) => target === '/transactions')).toEqual([])

  await page.unroute(`${story.vaultUrl}/sessions`)
  await page.unroute(`${story.vaultUrl}/direct-tokens`)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})

test('a shopper without the library sees what is missing, and what is wrong once it is back', async ({
  page,
  story,
}) => {
  await page.route('**/payment.cofre.min.js', (route) => route.abort('connectionrefused'))
  await goToCheckout(page, story)
  await fillPayer(page)
  await pay(page)
  for (const label of ['Número do cartão', 'Validade', 'CVV']) {
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true')
  }

  await page.unroute('**/payment.cofre.min.js')
  await fillCard(page, { ...APPROVED_CARD, number: '4111111111111112' })
  await pay(page)
  await expect(page.getByLabel('Número do cartão')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('[aria-invalid]')).toHaveCount(1)
  expect(story.gatewayRequests.filter(({ target }) => target === '/transactions')).toEqual([])

  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})

test('a shopper sees when the library itself cannot be loaded', async ({ page, story }) => {
  await page.route('**/payment.cofre.min.js', (route) => route.abort('connectionrefused'))
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.locator('[data-error-code="session_network_error"]')).toBeVisible()
})

test('a shopper sees at once that the card fields cannot be loaded, and pays once they are back', async ({
  page,
  story,
}) => {
  await goToCheckout(page, story)
  await page.getByRole('button', { name: 'Campos do cofre' }).click()
  await expect(fieldsIn(page).getByLabel('Número do cartão')).toBeVisible()
  await page.route('**/fields.cofre.min.js', (route) => route.abort('connectionrefused'))
  await page.reload()
  await expect(page.locator('#new-card').getByRole('alert')).toHaveText(
    'O pagamento com cartão não está disponível agora. Tente de novo ou escolha outra forma de pagamento.',
  )

  await page.unroute('**/fields.cofre.min.js')
  await fillPayer(page)
  await pay(page)
  await expect(page.locator('#new-card').getByRole('alert')).toBeHidden()
  await expectCardAsked(page)
  await typeCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
})
