import { expect } from '@playwright/test'
import {
  RELEASED_SCRIPT,
  expectPayable,
  newInstance,
  openPage,
  test,
  tokenize,
} from './library-story.js'

/** The tag that the product prints at its start, with the link's URL instead of the vault's. */
function printedTag(output: string, vaultPort: number, linkUrl: string): string {
  const tag = /<script src="[^"]+\/v\/[^"]+"\s+integrity="[^"]+" crossorigin="anonymous"><\/script>/
  const printed = tag.exec(output)?.[0] ?? ''
  expect(printed).toContain(`:${vaultPort}/v/`)
  return printed.replace(`http://127.0.0.1:${vaultPort}`, linkUrl)
}

test('the printed tag runs, on a page isolated from other origins too', async ({
  page,
  cofre,
  link,
  shop,
}) => {
  const tag = printedTag(cofre.output(), cofre.ports.vault, link.url)
  for (const headers of [{}, { 'Cross-Origin-Embedder-Policy': 'require-corp' }]) {
    await openPage({ page, shop }, tag, headers)
    await newInstance(page)
    await expectPayable(cofre, await tokenize(page))
  }
})

test('a script of another hash does not run', async ({ page, cofre, link, shop }) => {
  const tag = printedTag(cofre.output(), cofre.ports.vault, link.url)
  link.disturb(`/${RELEASED_SCRIPT}`, { kind: 'answer', status: 200, body: 'window.Cofre = 1' })
  await openPage({ page, shop }, tag)
  expect(await page.evaluate(() => 'Cofre' in window)).toBe(false)

  link.restore()
  const wrong = tag.replace(/sha384-.{5}/, 'sha384-AAAAA')
  await openPage({ page, shop }, wrong)
  expect(await page.evaluate(() => 'Cofre' in window)).toBe(false)
})

test('the manifest has the integrity of the files that the browser gets', async ({
  page,
  link,
  shop,
}) => {
  await openPage({ page, shop }, '')
  const compared = await page.evaluate(async (manifestUrl) => {
    const manifest = (await (await fetch(manifestUrl)).json()) as {
      files: { url: string; integrity: string; bytes: number }[]
    }
    return Promise.all(
      manifest.files.map(async ({ url, integrity, bytes }) => {
        // The browser itself compares it with the hash.
        const response = await fetch(new URL(url, manifestUrl), { integrity })
        return (await response.arrayBuffer()).byteLength === bytes
      }),
    )
  }, `${link.url}/integrity.json`)
  expect(compared.length).toBeGreaterThanOrEqual(4)
  expect(compared).not.toContain(false)
})
