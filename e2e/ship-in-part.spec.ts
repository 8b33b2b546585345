import { expect } from '@playwright/test'
import { panelUrlOf, signIn } from './panel-story.js'
import { expectGoodPage, placeOf } from './staff.js'
import { test } from './story.js'

test('a shop ships a part of what it made to order, and charges only that', async ({
  page,
  story: { cofre, shopUrl },
}) => {
  for (const product of ['caneca-ceramica', 'coador-porcelana', 'caneca-ceramica']) {
    await page.goto(shopUrl)
    await page.getByTestId(`product-${product}`).getByRole('button').click()
  }
  await expect(page.getByText('Feito sob encomenda.').first()).toBeVisible()
  await expectGoodPage(page)
  await page.goto(`${shopUrl}/checkout`)
  await page.locator('[data-fill-test-data]').click()
  await page.getByTestId('pay').click()
  await expect(page.getByTestId('order-status')).toHaveText('Valor reservado')
  await expectGoodPage(page)
  const orderUrl = page.url()
  const code = await page.getByTestId('order-code').innerText()

  await page.getByRole('contentinfo').getByRole('link', { name: 'Back office' }).click()
  const order = page.getByTestId(`ship-${code}`)
  await expectGoodPage(page)
  await order.getByLabel('Caneca de cerâmica').selectOption('1')
  await order.getByLabel('Coador de porcelana').selectOption('0')
  await order.getByRole('button', { name: 'Enviar em parte' }).click()
  await expect(page.getByRole('status')).toContainText('O cartão foi cobrado.')
  await expect(order).toHaveCount(0)
  await expectGoodPage(page)

  const again = async (form: Readonly<Record<string, string>>) =>
    (
      await page.request.post(`${shopUrl}/back-office/${code}`, {
        form,
        headers: { origin: shopUrl },
      })
    ).url()
  const sent = { act: 'ship-part', 'caneca-ceramica': '1', 'coador-porcelana': '0' }
  expect(await again(sent)).toContain('outcome=captured')
  await page.goto(await again({ act: 'ship' }))
  await expect(page.getByRole('alert')).toContainText('Outro envio ou cancelamento veio antes.')
  await expectGoodPage(page)

  await page.goto(orderUrl)
  await expect(page.getByRole('heading', { name: 'Pedido enviado em parte' })).toBeVisible()
  await expect(page.getByTestId('order-charged')).toHaveText(/R\$\s77,40/)
  await expect(page.getByTestId('order-released')).toHaveText(/R\$\s153,50/)
  await expectGoodPage(page)

  await signIn(page, panelUrlOf(cofre))
  await page.goto(placeOf(page, `/payments/${code}`))
  await expect(page.getByText(/capturada em parte: R\$\s77,40 de R\$\s230,90/)).toBeVisible()
})
