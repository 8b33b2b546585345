import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { buyByPix, expectGivenBack } from './production-bank.js'
import { expectRefunds, refundAPart } from './shop-refund.js'
import { type Story, test } from './story.js'

/** Sets the notices on the bank's page. */
async function setNotices(bank: Page, { bankUrl }: Story, notices: string): Promise<void> {
  await bank.goto(bankUrl)
  const choice = bank.getByRole('combobox', { name: 'Avisos' })
  if (!(await choice.isVisible())) await bank.getByText('Como o banco se comporta').click()
  await choice.selectOption(notices)
  await bank.getByRole('button', { name: 'Aplicar' }).click()
  await expect(bank.getByRole('status')).toHaveText('Aplicado.')
}

/** The bank's notices to the gateway, with any result. */
function noticesOf(bank: Page) {
  return bank.getByRole('table').filter({ hasText: 'Resultado' }).getByRole('row')
}

function takenNoticesOf(bank: Page) {
  return noticesOf(bank).filter({ hasText: '200' })
}

test('a PIX of production is paid at the bank, whose notice turns the order paid', async ({
  page,
  story,
}) => {
  await page.goto(story.productionShopUrl)
  await expect(page.getByTestId('environment')).toContainText('ambiente de produção')
  await page.goto(story.shopUrl)
  await expect(page.getByTestId('environment')).toContainText('ambiente sandbox')

  const bank = await buyByPix(page, story)
  await expectAccessible(page)
  await expectAccessible(bank)
  const charge = bank.url()
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()
  await expect(bank.getByRole('status')).toHaveText('Pago.')

  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await bank.goto(charge)
  await expect(takenNoticesOf(bank)).toHaveCount(1)
})

test('a bank that sends no notice is asked, and the order turns paid', async ({
  page,
  context,
  story,
}) => {
  const settings = await context.newPage()
  await setNotices(settings, story, 'Nunca')
  const bank = await buyByPix(page, story)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()

  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await bank.reload()
  await expect(noticesOf(bank)).toHaveCount(0)
  await setNotices(settings, story, 'Uma vez')
})

test('the shop’s refund reaches the payer at the bank', async ({ page, story }) => {
  const bank = await buyByPix(page, story)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')

  await refundAPart(page, story.cofre)
  await expectRefunds(page, story.cofre.ports.api, 'PROCESSED')
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado em parte')
  await bank.reload()
  await expect(bank.getByText(/Devolução de R\$\s12,50 Devolvida/)).toBeVisible()
})

test('another amount and a second payment go back, and change no order', async ({
  page,
  story,
}) => {
  const bank = await buyByPix(page, story)
  await bank.getByLabel('Outro valor').fill('60,00')
  await bank.getByRole('button', { name: 'Pagar este valor' }).click()
  await expectGivenBack(bank, '60,00')
  await page.reload()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')

  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 de novo$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 de novo$/ }).click()
  await expectGivenBack(bank, '100,00')
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
})
