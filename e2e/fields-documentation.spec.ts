import { readFileSync } from 'node:fs'
import { type Page, expect } from '@playwright/test'
import { STORE, freePort } from './cofre-process.js'
import { test, typeCard } from './fields-story.js'
import { expectPayable, holdScript } from './library-story.js'
import type { ShopServer } from './shop-server.js'

const source = (file: string): string =>
  readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')

/** The page's code blocks in a language, for the running vault and its store. */
function blocksOf(language: string, vaultUrl: string): string[] {
  const blocks = source('docs/card-fields.md').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)
  return [...blocks]
    .filter(([, named]) => named === language)
    .map(([, , code = '']) =>
      code
        .replaceAll('http://127.0.0.1:8082', vaultUrl)
        .replaceAll('https://vault.shop.example', vaultUrl)
        .replaceAll('loja-um', STORE.id),
    )
}

function serve(shop: ShopServer, { head, script }: { head: string; script: string }): string {
  shop.files.set('/shop.js', { type: 'text/javascript', body: script })
  const body = `<!doctype html><html lang="en"><title>Shop</title><body>${head}
    <script type="module" src="/shop.js"></script></body></html>`
  shop.files.set('/documented', { type: 'text/html', body })
  return `${shop.url}/documented`
}

/** Serves the documentation's example as a page of the shop. */
function serveDocumented(shop: ShopServer, vaultUrl: string): string {
  const [head = ''] = blocksOf('html', vaultUrl)
  const script = source('docs/examples/card-fields.js').replace('loja-um', STORE.id)
  shop.files.set('/pay', { type: 'text/html', body: 'Paid' })
  return serve(shop, { head, script })
}

const typeDocumentedCard = (page: Page): Promise<void> =>
  typeCard(page.frameLocator('#card iframe'))

test('the page of the documentation takes a card, by its button and by Enter', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  await page.goto(serveDocumented(shop, vaultUrl))
  await page.getByRole('button', { name: 'Pay' }).click()
  const number = page.frameLocator('#card iframe').locator('#number')
  await expect(number).toBeFocused()
  await expect(page.getByRole('alert')).toBeEmpty()
  await typeDocumentedCard(page)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Paid')).toBeVisible()
  expect(shop.posted).toHaveLength(1)
  const sent = new URLSearchParams(shop.posted[0])
  expect([...sent.keys()]).toEqual(['token'])
  await expectPayable(cofre, [null, sent.get('token') ?? ''])
})

test('the page of the documentation explains that the card could not be sent', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  await page.route(/\/(sessions|direct-tokens)$/, (route) => route.abort('connectionrefused'))
  await page.goto(serveDocumented(shop, vaultUrl))
  await typeDocumentedCard(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(/^The card could not be sent\./)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('Paid')).toBeVisible()
})

test('the page of the documentation shows that it accepts no cards without the vault', async ({
  page,
  registered: shop,
}) => {
  const awayUrl = `http://127.0.0.1:${await freePort()}`
  await page.goto(serveDocumented(shop, awayUrl))
  await expect(page.getByRole('alert')).toHaveText(/^Card payments are not available right now\./)
  await expect(page.getByRole('button', { name: 'Pay' })).toBeDisabled()
})

test('the page of the documentation does not wait for a vault that hangs, and pays once it answers', async ({
  page,
  registered: shop,
  vaultUrl,
}) => {
  const answer = await holdScript(page)
  await page.goto(serveDocumented(shop, vaultUrl), { waitUntil: 'domcontentloaded' })
  await expect(page.getByRole('alert')).toHaveText(/^Card payments are not available right now\./)
  await expect(page.getByRole('button', { name: 'Pay' })).toBeDisabled()
  answer()
  await typeDocumentedCard(page)
  await expect(page.getByRole('alert')).toBeEmpty()
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('Paid')).toBeVisible()
})

test('the ES module takes a card as the documentation imports it', async ({
  page,
  cofre,
  registered: shop,
  vaultUrl,
}) => {
  const module = source('packages/client/dist/fields.js')
  shop.files.set('/fields.js', { type: 'text/javascript', body: module })
  const [imported = ''] = blocksOf('js', vaultUrl).filter((code) => code.startsWith('import'))
  const script = `${imported.replace('@cofre/client/fields', '/fields.js').replace('(element', "(document.getElementById('card')")}
    fields.on('submit', async () => { document.title = await fields.getDirectToken() })`
  await page.goto(serve(shop, { head: '<div id="card"></div>', script }))
  await typeDocumentedCard(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle(/^ey/)
  await expectPayable(cofre, [null, await page.title()])
})
