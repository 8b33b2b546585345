import { type Frame, type Page, expect } from '@playwright/test'
import axe from 'axe-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly string[]
}

// Axe scans frames of every origin.
const AXE = `${axe.source}
  axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/** Loads axe once in every frame: sending the script takes as long as running it. */
async function loadAxe(page: Page): Promise<void> {
  const load = async (frame: Frame): Promise<void> => {
    if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(AXE)
  }
  await Promise.all(page.frames().map(load))
}

/** Violations of every rule that axe can check by itself, or of the given rules. */
async function violationsOf(page: Page, options: axe.RunOptions = {}): Promise<Violation[]> {
  await loadAxe(page)
  // The report of the passed rules would be several times larger.
  const asked = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${asked})`)
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }))
}

/** Scans the page in its current state. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page), page.url()).toEqual([])
}

/** Scans every rule in light colours, and the contrast rule in dark ones. */
export async function expectAccessibleInBothColours(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  // Axe assumes a white background behind a frame.
  const contrast: axe.RunOptions = { runOnly: ['color-contrast'], iframes: false }
  expect(await violationsOf(page, contrast), `${page.url()}, dark`).toEqual([])
}
