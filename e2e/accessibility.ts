import { AxeBuilder } from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

interface Violation {
  readonly id: string
  readonly nodes: readonly string[]
}

/** Of every rule that axe can check by itself, or of one rule. */
async function violationsOf(page: Page, rule?: string): Promise<Violation[]> {
  // Legacy: in the page alone. It needs no second page, and half of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rule === undefined ? axe : axe.withRules(rule)).analyze()
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
}

/** Holds the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page), page.url()).toEqual([])
}

/** Against every rule in light colours, and against the one rule about colours in dark ones. */
export async function expectAccessibleInBothColours(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page, 'color-contrast'), `${page.url()}, dark`).toEqual([])
}
