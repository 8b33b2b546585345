import { expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { decideInPanel } from './panel-story.js'
import { fillPayer, goToCheckout, test } from './story.js'

test('a shopper gets a PIX code to scan or to copy, and sees how long it lasts', async ({
  page,
  context,
  story,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByRole('radio', { name: 'PIX' }).check()
  await page.getByRole('button', { name: /^Pagar R\$\s100,00 com PIX$/ }).click()

  await expect(page.getByRole('heading', { name: 'Falta só o PIX' })).toBeVisible()
  const picture = page.getByRole('img', { name: /QR Code/ })
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  await expect(page.getByRole('timer')).toHaveText(/^23:5\d:\d\d$/)
  await page.getByRole('button', { name: 'Copiar código' }).click()
  await expect(page.getByRole('button', { name: 'Copiado!' })).toBeVisible()
  const code = await page.getByLabel('PIX copia e cola').inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  expect(code).toMatch(/^000201/)

  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')
  await decideInPanel(page, 'COMPLETE')
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await expect(page.getByLabel('PIX copia e cola')).toBeHidden()
  await expectAccessible(page)
})

test('a shopper pays something shipped with PIX, in English', async ({ page, story }) => {
  await page.goto(story.shopUrl)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByTestId('product-caneca-ceramica').getByRole('button').click()
  await page.goto(`${story.shopUrl}/checkout`)
  await page.getByRole('button', { name: 'Fill with test data' }).click()
  await page.getByRole('radio', { name: 'PIX' }).check()
  await page.getByRole('button', { name: /with PIX$/ }).click()

  await expect(page.getByRole('heading', { name: 'Pay with PIX' })).toBeVisible()
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('a shopper still pays with PIX and asks whether it arrived', async ({ page, story }) => {
    await goToCheckout(page, story)
    await fillPayer(page)
    await page.getByRole('radio', { name: 'PIX' }).check()
    await page.getByRole('button', { name: /com PIX$/ }).click()

    await expect(page.getByTestId('pix-code')).toHaveValue(/^000201/)
    await expect(page.getByRole('button', { name: 'Copiar código' })).toBeHidden()
    await page.getByRole('link', { name: 'Verificar agora' }).click()
    await expect(page.getByTestId('result')).toHaveAttribute('data-state', 'pending')
  })
})
