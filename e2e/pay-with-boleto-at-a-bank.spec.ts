import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Page, expect } from '@playwright/test'
import { expectAccessible } from './accessibility.js'
import { freePorts, startCofre } from './cofre-process.js'
import { fillAddress } from './payment-link-story.js'
import { type Story, fillPayer, goToCheckout, test, testAlone } from './story.js'

/** Buys a gift card by boleto in production. */
async function buyInProduction(
  page: Page,
  { productionShopUrl }: Pick<Story, 'productionShopUrl'>,
): Promise<void> {
  await goToCheckout(page, { shopUrl: productionShopUrl })
  await fillPayer(page)
  await page.getByRole('radio', { name: 'Boleto' }).check()
  await fillAddress(page)
  // The answer waits eight seconds for a bank that issues late.
  await page.getByRole('button', { name: /^Gerar boleto de R/ }).click()
}

/** The simulated Inter's page of the boleto that the shopper sees. */
async function openBank(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Inter simulado' }).click()
  const bank = await opened
  await expect(bank.getByRole('heading', { name: /^Boleto de R\$\s100,00/ })).toBeVisible()
  return bank
}

async function openOrder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Acompanhar pedido' }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')
}

testAlone(
  'a boleto that its bank issues late is paid by its line',
  async ({ page, context, story }) => {
    const bank = await context.newPage()
    await bank.goto(story.interUrl)
    await bank.getByText('Como o banco se comporta').click()
    await bank
      .getByRole('combobox', { name: 'Novos boletos são emitidos' })
      .selectOption('Quando alguém mandar')
    await bank.getByRole('button', { name: 'Aplicar' }).click()
    await expect(bank.getByRole('status')).toHaveText('Aplicado.')

    await buyInProduction(page, story)
    await expect(
      page.getByRole('heading', { name: 'O banco está emitindo o seu boleto' }),
    ).toBeVisible()
    await expect(page.getByLabel('Linha digitável')).toBeHidden()
    await bank.goto(story.interUrl)
    await bank.getByRole('link', { name: /^Boleto de R\$\s100,00/ }).click()
    await bank.getByRole('button', { name: 'Emitir agora' }).click()
    await expect(bank.getByRole('status')).toHaveText('Emitido.')
    await expectAccessible(bank)

    await expect(page.getByLabel('Linha digitável')).toHaveValue(/^0779/)
    await openOrder(page)
    await bank.getByRole('button', { name: /^Pagar R\$\s100,00 pela linha$/ }).click()
    await expect(page.getByTestId('order-status')).toHaveText('Pago')
  },
)

test('a boleto is paid by PIX, and the shop’s refund reaches the payer', async ({
  page,
  story,
}) => {
  await buyInProduction(page, story)
  await expect(page.getByLabel('Linha digitável')).toHaveValue(/^0779/)
  await expectAccessible(page)
  const bank = await openBank(page)
  await openOrder(page)
  await bank.getByRole('button', { name: /^Pagar R\$\s100,00 com Pix$/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')

  await page.getByRole('link', { name: 'Bastidores da loja' }).click()
  // The newest: other stories of the worker buy at the same shop.
  await page
    .getByRole('link', { name: /^Pedido \d+/ })
    .first()
    .click()
  await page.getByLabel('Só uma parte').check()
  await page.getByLabel('Valor da parte').fill('12,50')
  await page.getByRole('button', { name: 'Reembolsar' }).click()
  // The bank tells nobody of the end of a refund: the gateway asks in its own time.
  await expect(page.getByTestId('refund-status')).toHaveText('Em andamento')
  await expect(async () => {
    await bank.reload()
    await expect(bank.getByText(/Devolução de R\$\s12,50 Devolvida/)).toBeVisible({ timeout: 500 })
  }).toPass()
})

/** Each moves the clock ahead by 25 hours: past the last payable day, and what banks need then. */
const SIGNALS = 20

test('another amount goes back, and the boleto ends unpaid', async ({ page }) => {
  test.skip(process.platform === 'win32', 'Windows has no SIGUSR2')
  const ports = await freePorts()
  const laterClock = new URL('later-clock.mjs', import.meta.url)
  const cofre = await startCofre(ports, {}, ['--import', laterClock.href])
  await buyInProduction(page, { productionShopUrl: `http://127.0.0.1:${ports.productionDemo}` })
  const bank = await openBank(page)
  await openOrder(page)
  await bank.getByLabel('Outro valor').fill('60,00')
  await bank.getByRole('button', { name: 'Pagar isso com Pix' }).click()
  await expect(async () => {
    await bank.reload()
    await expect(bank.getByText(/Devolução de R\$\s60,00 Devolvida/)).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.reload()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')

  for (let signal = 0; signal < SIGNALS; signal += 1) {
    process.kill(cofre.pid, 'SIGUSR2')
    await pause(50)
  }
  await expect(page.getByTestId('order-status')).toHaveText('Não pago')
  await cofre.dispose()
})
