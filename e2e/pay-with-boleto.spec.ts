import { expect } from '@playwright/test'
import { decideInPanel } from './panel-story.js'
import { fillAddress } from './payment-link-story.js'
import { fillPayer, goToCheckout, test } from './story.js'

test('a shopper gets a boleto with its line, its due date and its page', async ({
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

  const [year, month, day] = await dueDate(page.getByTestId('due-date').innerText())
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: /^Abrir o boleto/ }).click()
  const slip = await opening
  await expect(slip.getByText(`${day}/${month}/${year}`)).toBeVisible()
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

const MONTHS =
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(
    ' ',
  )

/** `24 de novembro de 2026` as year, month and day, two digits each but the year. */
async function dueDate(text: Promise<string>): Promise<readonly [string, string, string]> {
  const [, day = '', name = '', year = ''] = /^(\d+) de (\S+) de (\d+)$/.exec(await text) ?? []
  const month = String(MONTHS.indexOf(name) + 1)
  return [year, month.padStart(2, '0'), day.padStart(2, '0')]
}
