import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { APPROVED_CARD, type Story, fillCard, fillPayer, goToCheckout, pay, test } from './story.js'

/** Buys by card and opens the order behind the counter. */
async function openDesk(page: Page, story: Story): Promise<void> {
  await goToCheckout(page, story)
  await fillPayer(page)
  await fillCard(page, APPROVED_CARD)
  await pay(page)
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  await page.getByRole('link', { name: 'Bastidores da loja' }).click()
  // The newest.
  await page
    .getByRole('link', { name: /^Pedido \d+/ })
    .first()
    .click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
}

test('the shop refunds a part, then the rest, and sees each arrive', async ({ page, story }) => {
  await openDesk(page, story)
  await page.getByLabel('Só uma parte').check()
  await page.getByLabel('Valor da parte').fill('900')
  await page.getByRole('button', { name: 'Reembolsar' }).click()
  await expect(page.getByRole('alert')).toContainText('O valor é maior')
  await expectAccessible(page)

  await page.getByLabel('Valor da parte').fill('12,50')
  await page.getByLabel('Motivo ou referência').fill('Xícara quebrada')
  await page.getByRole('button', { name: 'Reembolsar' }).click()
  await expect(page.getByTestId('refund-status')).toHaveText('Concluído')
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado em parte')
  await expect(page.getByText('Xícara quebrada')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel(/^Tudo: R\$\s87,50/).check()
  await page.getByRole('button', { name: 'Reembolsar' }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado')
  await expect(page.getByText('Não há mais nada a reembolsar.')).toBeVisible()
  const asked = story.gatewayRequests
    .filter(({ target }) => target === '/refunds')
    .map(({ body }) => (JSON.parse(body) as { amount: number }).amount)
  expect(asked).toEqual([12.5, 87.5])

  await page.getByRole('link', { name: 'Meus pedidos' }).click()
  await page.getByRole('link', { name: /^Pedido \d+/ }).click()
  await expect(page.getByTestId('refund-status')).toHaveText(['Concluído', 'Concluído'])
})

test('the shop sees that a refund was not made, and that the order is still paid', async ({
  page,
  story,
}) => {
  await openDesk(page, story)
  await page.getByLabel('Motivo ou referência').fill('please reject this')
  await page.getByRole('button', { name: 'Reembolsar' }).click()

  await expect(page.getByTestId('refund-status')).toHaveText('Não realizado')
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await expect(page.getByRole('button', { name: 'Reembolsar' })).toBeVisible()
})
