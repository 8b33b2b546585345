import { test } from './story.js'

for (const [scheme, width] of [['light', 1200], ['dark', 1200], ['light', 360], ['dark', 360]] as const) {
  test.describe(`${scheme} ${width}`, () => {
    test.use({ colorScheme: scheme, viewport: { width, height: 800 } })
    test.describe.configure({ timeout: 120_000 })
    test('shots', async ({ page, story }) => {
      const shot = (name: string) => page.screenshot({ path: `/tmp/shots/${name}-${scheme}-${width}.png`, fullPage: true })
      await page.goto(story.shopUrl); await shot('home')
      await page.getByTestId('product-cafe-alvorada').getByRole('button').click(); await shot('cart')
      await page.goto(`${story.shopUrl}/checkout`)
      await page.getByTestId('pay').click(); await shot('checkout-errors')
      await page.locator('[data-fill-test-data]').click(); await page.waitForTimeout(500); await shot('checkout')
      await page.locator('[name=method][value=pix]').check()
      await page.getByTestId('pay').click(); await page.getByTestId('result').waitFor(); await page.waitForTimeout(600); await shot('result-pix')
      await page.goto(`${story.shopUrl}/cart`)
      await page.goto(story.shopUrl); await page.getByTestId('product-vale-presente').getByRole('button').click()
      await page.goto(`${story.shopUrl}/checkout`); await page.locator('[data-fill-test-data]').click()
      await page.locator('[name=method][value=boleto]').check(); await page.getByTestId('pay').click(); await page.getByTestId('result').waitFor(); await shot('result-boleto')
      await page.goto(story.shopUrl); await page.getByTestId('product-vale-presente').getByRole('button').click()
      await page.goto(`${story.shopUrl}/checkout`); await page.locator('[data-fill-test-data]').click(); await page.getByTestId('pay').click(); await page.getByTestId('result').waitFor(); await shot('result-card')
      await page.goto(`${story.shopUrl}/orders`); await shot('orders')
      await page.locator('.order-list a').first().click(); await shot('order')
      await page.goto(`${story.shopUrl}/back-office`); await shot('desk')
      await page.locator('.order-list a').first().click(); await page.getByLabel('Só uma parte').check(); await shot('desk-order')
    })
  })
}
