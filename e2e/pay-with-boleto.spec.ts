import { expect } from '@playwright/test'
import { decideInPanel } from './panel-story.js'
import { fillAddress } from './payment-link-story.js'
import { fillPayer, goToCheckout, test } from './story.js'

test('a shopper gets a boleto with its line and its page, which has the due date', async ({
  page,
  context,
  story,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByRole('radio', { name: 'Boleto' }).check()
  await fillAddress(page)
  await page.getByRole('button', { name: /^Gerar boleto de R/ }).click()

  await expect(page.getByRole('heading', { name: 'Seu boleto está pronto' })).toBeVisible()
  const printed = await page.getByLabel('Linha digitável').inputValue()
  expect(printed).toMatch(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/)
  await page.getByRole('button', { name: 'Copiar código' }).click()
  await expect(page.getByRole('button', { name: 'Copiado!' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    printed.replaceAll(/\D/g, ''),
  )

  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /^Abrir o boleto/ }).click()
  const slip = await opening
  await expect(slip.getByText(/^\d{2}\/\d{2}\/\d{4}$/).first()).toBeVisible()
  await expect(slip.getByText(printed)).toBeVisible()
  await slip.close()

  await decideInPanel(page, 'COMPLETE')
  await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
  await expect(page.getByLabel('Linha digitável')).toBeHidden()
})

test('a shopper sees that a boleto was never paid', async ({ page, story }) => {
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByRole('radio', { name: 'Boleto' }).check()
  await fillAddress(page)
  await page.getByRole('button', { name: /^Gerar boleto de R/ }).click()
  await decideInPanel(page, 'NOT-PAID')
  await expect(page.getByTestId('result')).toHaveAttribute('data-state', 'unpaid')
  await expect(page.getByRole('button', { name: 'Comprar de novo' })).toBeVisible()
})
