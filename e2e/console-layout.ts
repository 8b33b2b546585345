// Layout checks of the console's pages, measured in the browser.
import { type Locator, type Page, expect } from '@playwright/test'

export const LAPTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** The texts of cells that are cut off. */
async function cutOf(cells: Locator): Promise<readonly string[]> {
  return await cells.evaluateAll((all) =>
    all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
  )
}

export async function heightsOf(boxes: Locator): Promise<readonly number[]> {
  return await boxes.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
}

/** The page's overflow beyond its window, in pixels. */
async function overflowOf(page: Page): Promise<number> {
  return await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
}

/** One line per payment on a laptop, two on a phone; only a payer's long e-mail may be cut. */
export async function expectListFits(page: Page): Promise<void> {
  const rows = page.locator('.payments tbody tr')
  await page.setViewportSize(LAPTOP)
  expect(Math.max(...(await heightsOf(rows)))).toBeLessThanOrEqual(26)
  const cells = page.locator('.payments').locator('td, th, .row-link')
  expect(await cutOf(cells)).toEqual([])
  await page.setViewportSize(PHONE)
  expect(Math.max(...(await heightsOf(rows)))).toBeLessThanOrEqual(72)
  expect(await cutOf(page.locator('.payments').locator('td:not(.payer, .way)'))).toEqual([])
  const [header = 0] = await heightsOf(page.locator('.site-header'))
  expect(header).toBeLessThanOrEqual(80)
  const reference = page.locator('.payments .row-link').first()
  await reference.evaluate((link) => {
    link.replaceChildren('long-reference-'.repeat(4))
  })
  expect(await overflowOf(page)).toBe(0)
}

/** Charts are as wide as the phone, and their texts as large as the text beside them. */
export async function expectChartsFit(page: Page): Promise<void> {
  await page.setViewportSize(PHONE)
  const { height = 0 } = (await page.locator('.chart .plot').first().boundingBox()) ?? {}
  expect(height).toBe(240)
  const texts = await page.locator('.chart text').evaluateAll((all) =>
    all.map((one) => {
      const svg = one.closest('svg')?.getBoundingClientRect()
      const { left } = one.getBoundingClientRect()
      return {
        size: Number.parseFloat(getComputedStyle(one).fontSize),
        isCut: left < (svg?.left ?? 0),
      }
    }),
  )
  expect(texts.filter(({ size, isCut }) => size < 12 || isCut)).toEqual([])
  expect(await overflowOf(page)).toBe(0)
}
