import { type Frame, type Page, expect } from '@playwright/test'
import axe from 'axe-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly string[]
}

// Frames answer to the page that asks them, of whatever origin they are.
const AXE = `${axe.source}
  axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/** Once in every frame of the page: the script takes as long to send as to run. */
async function loadAxe(page: Page): Promise<void> {
  const load = async (frame: Frame): Promise<void> => {
    if (await frame.evaluate(() => !('axe' in window))) await frame.evaluate(AXE)
  }
  await Promise.all(page.frames().map(load))
}

/** Of every rule that axe can check by itself, or of some. */
async function violationsOf(page: Page, options: axe.RunOptions = {}): Promise<Violation[]> {
  await loadAxe(page)
  // All about what passed is several times as much.
  const asked = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${asked})`)
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
  // Axe takes what is behind a frame for white.
  const contrast: axe.RunOptions = { runOnly: ['color-contrast'], iframes: false }
  expect(await violationsOf(page, contrast), `${page.url()}, dark`).toEqual([])
}
