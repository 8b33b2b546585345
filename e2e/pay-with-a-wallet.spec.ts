import { type Page, expect } from '@playwright/test'
import { type Story, fillPayer, goToCheckout, test } from './story.js'

/** Buys with a wallet; the browser ends at the wallet's page. */
async function goToWallet(page: Page, story: Story, wallet: string): Promise<void> {
  await goToCheckout(page, story)
  await fillPayer(page)
  await page.getByRole('radio', { name: wallet }).check()
  await page.getByRole('button', { name: 'Continuar na carteira digital' }).click()
  await page.waitForURL(/\/w\/\w+$/)
}

for (const wallet of ['PayPal', 'PagSeguro']) {
  test(`a shopper pays with ${wallet} and comes back to the paid order`, async ({
    page,
    story,
  }) => {
    await goToWallet(page, story, wallet)
    await page.getByRole('button', { name: 'Pagar' }).click()

    await expect(page.getByRole('heading', { name: 'Pagamento aprovado' })).toBeVisible()
    await expect(page.getByTestId('order-payment')).toHaveText(wallet)
  })
}

test('a shopper who cancels at the wallet sees it, and buys again', async ({ page, story }) => {
  await goToWallet(page, story, 'PayPal')
  await page.getByRole('button', { name: 'Cancelar' }).click()

  await expect(page.getByRole('heading', { name: 'Pedido cancelado' })).toBeVisible()
  await page.getByRole('button', { name: 'Comprar de novo' }).click()
  await expect(page.getByTestId('cart-count')).toHaveText('1')
})

test('an open order page shows the payment of another tab, without a reload', async ({
  page,
  context,
  story,
}) => {
  await goToWallet(page, story, 'PayPal')
  const wallet = await context.newPage()
  await wallet.goto(page.url())
  await page.goto(`${story.shopUrl}/orders`)
  await page.getByRole('link', { name: /^Pedido \d+/ }).click()
  await expect(page.getByTestId('order-status')).toHaveText('Aguardando pagamento')
  await page.evaluate(() => {
    document.body.dataset.sameDocument = 'yes'
  })

  await wallet.getByRole('button', { name: 'Pagar' }).click()
  await wallet.close()
  await expect(page.getByTestId('order-status')).toHaveText('Pago')
  await expect(page.getByRole('status')).toHaveText('O pedido mudou: Pago')
  await expect(page.locator('body')).toHaveAttribute('data-same-document', 'yes')
})

test('an address typed by hand does not make an order paid', async ({ page, story }) => {
  await goToWallet(page, story, 'PayPal')
  const body = story.gatewayRequests.find(({ target }) => target === '/transactions')?.body
  const { transaction } = JSON.parse(body ?? '{}') as {
    transaction: { 'redirect-urls': { success: string } }
  }
  await page.goto(transaction['redirect-urls'].success)
  await expect(page.getByRole('heading', { name: 'Falta concluir o pagamento' })).toBeVisible()
  await page.getByRole('link', { name: 'Continuar no PayPal' }).click()
  await expect(page.getByRole('button', { name: 'Pagar' })).toBeVisible()
})
