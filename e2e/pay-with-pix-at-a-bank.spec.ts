import process from 'node:process'
import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { freePorts, startCofre } from './cofre-process.js'
import { type Story, fillPayer, goToCheckout, testAlone as test } from './story.js'

/** Buys a gift card by PIX in production, and opens the simulated bank's page of the charge. */
async function buyInProduction(
  page: Page,
  { productionShopUrl }: Pick<Story, 'productionShopUrl'>,
): Promise<Page> {
  await goToCheckout(page, { shopUrl: productionShopUrl })
  await fillPayer(page)
  await page.getByRole('radio', { name: 'PIX' }).check()
  await page.getByRole('button', { name: /^Pagar R\$\s100,00 com PIX$/ }).click()
  await expect(page.getByLabel('PIX copia e cola')).toHaveValue(/br\.gov\.bcb\.pix/)
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'banco simulado' }).click()
  const bank = await opened
  await expect(bank.getByRole('heading', { name: /^Cobrança de R\$\s100,00/ })).toBeVisible()
  return bank
}

async function openOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Acompanhar pedido' }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')
}

/** What a person sets on the bank's page. */
async function stopNotices(bank: Page, { bankUrl }: Story): Promise<void> {
  await bank.goto(bankUrl)
  await bank.getByText('Como o banco se comporta').click()
  await bank.getByRole('combobox', { name: 'Avisos' }).selectOption('Nunca')
  await bank.getByRole('button', { name: 'Aplicar' }).click()
  await expect(bank.getByRole('status')).toHaveText('Aplicado.')
}

/** What the bank has sent to the gateway. */
function noticesOf(bank: Page) {
  return bank.getByRole('table').filter({ hasText: 'Resultado' }).getByRole('row')
}

/** The bank's page shows news when it is loaded alone. */
async function expectGivenBack(bank: Page, amount: string): Promise<void> {
  const devolution = bank.getByText(new RegExp(`Devolução de R\\$\\s${amount} Devolvida`))
  await expect(async () => {
    await bank.reload()
    await expect(devolution).toBeVisible({ timeout: 500 })
  }).toPass()
}

test('a PIX of production is paid at the bank, whose notice turns the order paid', async ({
  page,
  story,
}) => {
  await page.goto(story.productionShopUrl)
  await expect(page.getByTestId('environment')).toContainText('ambiente de produção')
  await expectAccessible(page)
  await page.goto(story.shopUrl)
  await expect(page.getByTestId('environment')).toContainText('ambiente sandbox')

  const bank = await buyInProduction(page, story)
  await expectAccessible(page)
  await openOrder(page)
  await expectAccessible(bank)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()
  await expect(bank.getByRole('status')).toHaveText('Pago.')

  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await bank.goto(story.bankUrl)
  await expect(noticesOf(bank)).toHaveCount(2)
  await expect(noticesOf(bank).last()).toContainText('200')
})

test('a bank that sends no notice is asked, and the order turns paid', async ({
  page,
  context,
  story,
}) => {
  await stopNotices(await context.newPage(), story)
  const bank = await buyInProduction(page, story)
  await openOrder(page)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()

  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await bank.goto(story.bankUrl)
  await expect(bank.getByText('Nenhum aviso foi enviado.')).toBeVisible()
})

test('the shop’s refund reaches the payer at the bank', async ({ page, story }) => {
  const bank = await buyInProduction(page, story)
  await openOrder(page)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')

  await page.getByRole('link', { name: 'Bastidores da loja' }).click()
  await page.getByRole('link', { name: /^Pedido \d+/ }).click()
  await page.getByLabel('Só uma parte').check()
  await page.getByLabel('Valor da parte').fill('12,50')
  await page.getByRole('button', { name: 'Reembolsar' }).click()
  await expect(page.getByTestId('refund-status')).toHaveText('Concluído')
  await expect(page.getByTestId('order-status')).toHaveText('Reembolsado em parte')
  await bank.reload()
  await expect(bank.getByText(/Devolução de R\$\s12,50 Devolvida/)).toBeVisible()
})

test('another amount and a second payment go back, and change no order', async ({
  page,
  story,
}) => {
  const bank = await buyInProduction(page, story)
  await openOrder(page)
  await bank.getByLabel('Outro valor').fill('60,00')
  await bank.getByRole('button', { name: 'Pagar este valor' }).click()
  await expectGivenBack(bank, '60,00')
  await page.reload()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')

  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 mais uma vez$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 mais uma vez$/ }).click()
  await expectGivenBack(bank, '100,00')
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
})

test('late money goes back, and the order stays expired', async ({ page }) => {
  test.skip(process.platform === 'win32', 'Windows has no SIGUSR2')
  const ports = await freePorts()
  const laterClock = new URL('later-clock.mjs', import.meta.url)
  const cofre = await startCofre(ports, {}, ['--import', laterClock.href])
  const productionShopUrl = `http://127.0.0.1:${ports.productionDemo}`
  const bank = await buyInProduction(page, { productionShopUrl })
  await openOrder(page)
  process.kill(cofre.pid, 'SIGUSR2')
  await expect(page.getByTestId('order-status')).toHaveText('Expirado')

  await bank.reload()
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 com atraso$/ }).click()
  await expectGivenBack(bank, '100,00')
  await page.reload()
  await expect(page.getByTestId('order-status')).toHaveText('Expirado')
  await cofre.dispose()
})
