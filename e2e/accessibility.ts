import { AxeBuilder } from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

/** Holds the page, as it stands, against every rule that axe can check by itself. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
  expect(found, page.url()).toEqual([])
}
