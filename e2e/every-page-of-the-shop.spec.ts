import { type Page, expect } from '@playwright/test'
import { expectAccessibleInBothColours } from './accessibility.js'
import { goToCheckout, test } from './story.js'

const WIDTHS = [1440, 320]
const HEIGHT = 900

/** Checks the page's width, in the visitor's language. */
async function expectFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${page.url()} is too wide for ${width} px`).toBeLessThanOrEqual(0)
  }
}

async function expectGoodPage(page: Page): Promise<void> {
  await expectFits(page)
  await expectAccessibleInBothColours(page)
}

/** Puts coffee into the cart and opens the checkout, filled in. */
async function fillCheckout(page: Page, shopUrl: string): Promise<void> {
  await page.goto(shopUrl)
  await page.getByTestId('product-cafe-alvorada').getByRole('button').click()
  await page.goto(`${shopUrl}/checkout`)
  await page.locator('[data-fill-test-data]').click()
}

// Axe's findings do not depend on the language; the lengths of the texts do.
for (const { language, look } of [
  { language: 'Português', look: expectGoodPage },
  { language: 'English', look: expectFits },
])
  test(`every page can be read by all, in ${language}`, async ({ page, story: { shopUrl } }) => {
    await page.goto(shopUrl)
    if (language === 'English') await page.getByRole('link', { name: language }).click()
    for (const address of ['/', '/cart', '/orders', '/back-office', '/nowhere']) {
      await page.goto(shopUrl + address)
      await look(page)
    }
    await page.goto(shopUrl)
    await page.getByTestId('product-cafe-alvorada').getByRole('button').click()
    await look(page)
    await page.goto(`${shopUrl}/cart`)
    await look(page)
    await page.goto(`${shopUrl}/checkout`)
    await look(page)
    await page.getByTestId('pay').click()
    await expect(page.getByTestId('problems')).toBeFocused()
    await look(page)
    await page.locator('[data-fill-test-data]').click()
    for (const method of ['pix', 'boleto', 'card']) {
      await page.locator(`[name=method][value=${method}]`).check()
      // Each method has its own fields.
      if (method !== 'card') await look(page)
      await page.getByTestId('pay').click()
      await page.getByTestId('result').waitFor()
      await look(page)
      await page.goto(`${shopUrl}/orders`)
      if (method === 'card') await look(page)
      await page.locator('.order-list a').first().click()
      await look(page)
      if (method !== 'card') await fillCheckout(page, shopUrl)
    }
  })

test('a shopper chooses how to pay with the keyboard', async ({ page, story }) => {
  await goToCheckout(page, story)
  await page.getByRole('radio', { name: 'Cartão de crédito' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'PIX' })).toBeChecked()
  await expect(page.getByLabel('Número do cartão')).toBeHidden()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByLabel('Número do cartão')).toBeVisible()
})
