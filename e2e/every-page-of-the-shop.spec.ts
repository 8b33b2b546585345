import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { goToCheckout, test } from './story.js'

const WIDTHS = [1440, 320]
const HEIGHT = 900

async function expectGoodPage(page: Page): Promise<void> {
  await expectAccessibleInBothColours(page)
  const own = page.viewportSize()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${page.url()} is too wide for ${width} px`).toBeLessThanOrEqual(0)
  }
  if (own !== null) await page.setViewportSize(own)
}

for (const [locale, width] of [
  ['pt-BR', 320],
  ['en-US', 1440],
] as const) {
  test.describe(`in ${locale}, ${width} px`, () => {
    test.use({ locale, viewport: { width, height: HEIGHT } })

    test('every page can be read by all', async ({ page, story }) => {
      for (const address of ['/', '/cart', '/orders', '/back-office', '/nowhere']) {
        await page.goto(story.shopUrl + address)
        await expectGoodPage(page)
      }
      await page.goto(story.shopUrl)
      await page.getByTestId('product-cafe-alvorada').getByRole('button').click()
      await expectGoodPage(page)
      await page.goto(`${story.shopUrl}/checkout`)
      await expectGoodPage(page)
      await page.getByTestId('pay').click()
      await expect(page.getByTestId('problems')).toBeFocused()
      await expectGoodPage(page)
      await page.locator('[data-fill-test-data]').click()
      for (const method of ['pix', 'boleto', 'card']) {
        await page.locator(`[name=method][value=${method}]`).check()
        await page.getByTestId('pay').click()
        await page.getByTestId('result').waitFor()
        await expectGoodPage(page)
        await page.goto(`${story.shopUrl}/orders`)
        await expectGoodPage(page)
        await page.locator('.order-list a').first().click()
        await expectGoodPage(page)
        await page.goto(story.shopUrl)
        await page.getByTestId('product-cafe-alvorada').getByRole('button').click()
        await page.goto(`${story.shopUrl}/checkout`)
        await page.locator('[data-fill-test-data]').click()
      }
      await page.goto(`${story.shopUrl}/back-office`)
      await expectGoodPage(page)
      await page.locator('.order-list a').first().click()
      await expectGoodPage(page)
    })
  })
}

test('a shopper chooses how to pay with the keyboard', async ({ page, story }) => {
  await goToCheckout(page, story)
  await page.getByRole('radio', { name: 'Cartão de crédito' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'PIX' })).toBeChecked()
  await expect(page.getByLabel('Número do cartão')).toBeHidden()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByLabel('Número do cartão')).toBeVisible()
})
