import { readFileSync } from 'node:fs'
import { type Page, expect } from '@playwright/test'
import ts from 'typescript'
import { expectRunning } from './card-frame.js'
import type { CofreProcess } from './cofre-process.js'
import { STORE, freePort } from './cofre-process.js'
import { CARD, registerOrigins, typeCard } from './fields-story.js'
import { RELEASED_SCRIPT, VISA, expectPayable, holdScript, test } from './library-story.js'
import type { ShopServer } from './shop-server.js'

const VAULT_IN_DOCS = 'http://127.0.0.1:8082'
const source = (file: string): string =>
  readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const example = (name: string): string => source(`docs/examples/${name}`)

function servePlainExample(shop: ShopServer, vaultUrl: string): void {
  const page = example('plain.html')
  expect(page).toContain(`${VAULT_IN_DOCS}/${RELEASED_SCRIPT}`)
  const body = page.replace(VAULT_IN_DOCS, vaultUrl)
  shop.files.set('/plain.html', { type: 'text/html', body })
  shop.files.set('/plain.js', { type: 'text/javascript', body: example('plain.js') })
  shop.files.set('/pay', { type: 'text/html', body: 'Paid' })
}

/**
 * Serves the component, compiled as a shop would, in a page that finds its modules by name. React
 * is not a dependency: hono's client, with the same hooks and JSX runtime, runs in its place.
 */
function serveReactExample(shop: ShopServer, file: string, props: string): void {
  const { outputText } = ts.transpileModule(example(file), {
    compilerOptions: {
      jsx: ts.JsxEmit.ReactJSX,
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
    },
  })
  shop.files.set('/example.js', { type: 'text/javascript', body: outputText })
  for (const name of ['index.js', 'fields.js']) {
    const body = source(`packages/client/dist/${name}`)
    shop.files.set(`/${name}`, { type: 'text/javascript', body })
  }
  const imports = {
    react: '/hono/jsx/dom/index.js',
    'react/jsx-runtime': '/hono/jsx/dom/jsx-runtime.js',
    'react-dom/client': '/hono/jsx/dom/client.js',
    '@cofre/client': '/index.js',
    '@cofre/client/fields': '/fields.js',
  }
  const start = `
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import * as example from '/example.js'
    const [component] = Object.values(example)
    createRoot(document.body).render(createElement(component, ${props}))`
  const body = `<!doctype html><title>Shop</title><script type="importmap">${JSON.stringify({ imports })}</script>
    <body></body><script type="module">${start}</script>`
  shop.files.set('/react.html', { type: 'text/html', body })
}

function serveCardForm(shop: ShopServer, vaultUrl: string): void {
  const onToken = '(token) => { document.title = token }'
  serveReactExample(shop, 'card-form.tsx', `{ vaultUrl: '${vaultUrl}', onToken: ${onToken} }`)
}

/** The installed modules of hono. */
async function routeHono(page: Page): Promise<void> {
  const folder = new URL('.', import.meta.resolve('hono'))
  await page.route('**/hono/**', (route) => {
    const file = new URL(new URL(route.request().url()).pathname.replace('/hono/', ''), folder)
    return route.fulfill({ contentType: 'text/javascript', body: readFileSync(file) })
  })
}

async function fillIn(page: Page, cvv: string): Promise<void> {
  await page.getByLabel('Card number').fill(VISA.creditCard)
  await page.getByLabel('Month').fill('1')
  await page.getByLabel('Year').fill('35')
  await page.getByLabel('CVV').fill(cvv)
  await page.getByRole('button', { name: 'Pay' }).click()
}

async function expectWrongCvv(page: Page): Promise<void> {
  await expect(page.getByRole('status')).toHaveText('visa')
  await expect(page.getByRole('alert')).toHaveText('Please check the card.')
  await expect(page.getByLabel('CVV')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Card number')).toHaveAttribute('aria-invalid', 'false')
}

const expectPaysWith = (cofre: CofreProcess, token: string): Promise<void> =>
  expectPayable(cofre, [null, token])

test('the plain example posts a token in place of the card', async ({
  page,
  cofre,
  link,
  shop,
}) => {
  servePlainExample(shop, link.url)
  await page.goto(`${shop.url}/plain.html`)
  await fillIn(page, '73')
  await expectWrongCvv(page)
  await fillIn(page, '737')
  await expect(page.getByText('Paid')).toBeVisible()
  const sent = new URLSearchParams(shop.posted[0])
  expect([...sent.keys()]).toEqual(['token'])
  await expectPaysWith(cofre, sent.get('token') ?? '')
})

test('the plain example cannot send the card when its script did not run', async ({
  page,
  link,
  shop,
}) => {
  servePlainExample(shop, link.url)
  shop.files.delete('/plain.js')
  await page.goto(`${shop.url}/plain.html`)
  await page.getByLabel('Card number').fill(VISA.creditCard)
  await page.getByLabel('Card number').evaluate((input: HTMLInputElement) => input.form?.submit())
  await expect(page.getByText('Paid')).toBeVisible()
  expect(shop.posted).toEqual(['token='])
})

test('the plain example shows that the vault is out of reach, and lets the shopper try again', async ({
  page,
  link,
  shop,
}) => {
  servePlainExample(shop, link.url)
  link.disturb('/sessions', { kind: 'cut before the vault' })
  await page.goto(`${shop.url}/plain.html`)
  await fillIn(page, '737')
  await expect(page.getByRole('alert')).toContainText('cannot be reached')
  link.restore()
  await page.getByRole('button', { name: 'Pay' }).click()
  await expect(page.getByText('Paid')).toBeVisible()
})

test('the plain example shows that it accepts no cards without the vault', async ({
  page,
  shop,
}) => {
  servePlainExample(shop, `http://127.0.0.1:${await freePort()}`)
  await page.goto(`${shop.url}/plain.html`)
  await expect(page.getByRole('alert')).toHaveText(/^Card payments are not available right now\./)
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByRole('button', { name: 'Pay' })).toBeDisabled()
})

test('the plain example does not wait for a vault that hangs, and pays once it answers', async ({
  page,
  link,
  shop,
}) => {
  servePlainExample(shop, link.url)
  const answer = await holdScript(page)
  await page.goto(`${shop.url}/plain.html`, { waitUntil: 'domcontentloaded' })
  await expect(page.getByRole('alert')).toHaveText(/^Card payments are not available right now\./)
  await expect(page.getByRole('button', { name: 'Pay' })).toBeDisabled()
  answer()
  await expect(page.getByRole('alert')).toBeEmpty()
  await fillIn(page, '737')
  await expect(page.getByText('Paid')).toBeVisible()
})

test('the plain example lets a shopper pay who comes back through the history', async ({
  page,
  link,
  shop,
}) => {
  servePlainExample(shop, link.url)
  link.disturb('/sessions', { kind: 'late', delayMs: 10_000 })
  await page.goto(`${shop.url}/plain.html`)
  await fillIn(page, '737')
  const pay = page.getByRole('button', { name: 'Pay' })
  await expect(pay).toBeDisabled()
  // Playwright's Chromium keeps no page for its history: this event is what a kept page receives.
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect(pay).toBeEnabled()
})

test('the React example asks to check a card that the vault refuses', async ({
  page,
  link,
  shop,
}) => {
  await routeHono(page)
  serveCardForm(shop, link.url)
  link.disturb('/direct-tokens', { kind: 'answer', status: 422, body: '{}' })
  await page.goto(`${shop.url}/react.html`)
  await fillIn(page, '737')
  await expect(page.getByRole('alert')).toHaveText('Please check the card.')
})

test('the React example hands over a token, and keeps the card out of the document', async ({
  page,
  cofre,
  link,
  shop,
}) => {
  await routeHono(page)
  serveCardForm(shop, link.url)
  await page.goto(`${shop.url}/react.html`)
  await fillIn(page, '73')
  await expectWrongCvv(page)
  await fillIn(page, '737')
  await expect(page).not.toHaveTitle('Shop')
  await expectPaysWith(cofre, await page.title())
  expect(await page.content()).not.toMatch(/4111 ?1111 ?1111 ?1111/)
  expect(await page.locator('[name]').count()).toBe(0)
})

test('the React example with card fields sends one token, however often Enter is pressed', async ({
  page,
  cofre,
  shop,
}) => {
  await registerOrigins(cofre, [shop.url])
  const vaultUrl = `http://127.0.0.1:${cofre.ports.vault}`
  // The shop's server responds slowly.
  const onToken = '(token) => { document.title += token; return new Promise(() => {}) }'
  const props = `{ vaultUrl: '${vaultUrl}', store: '${STORE.id}', onToken: ${onToken} }`
  serveReactExample(shop, 'card-fields.tsx', props)
  await routeHono(page)
  await page.goto(`${shop.url}/react.html`)
  const frame = page.frameLocator('iframe')
  const button = page.getByRole('button', { name: 'Pay' })
  await expectRunning(frame)
  await frame.locator('#number').press('Enter')
  await expect(frame.locator('#number-error')).not.toBeEmpty()
  await expect(button).toBeEnabled()
  await typeCard(frame, CARD)
  await expect(page.getByRole('status')).toHaveText('visa')
  for (let i = 0; i < 3; i++) await frame.locator('#cvv').press('Enter')
  await expect(page).toHaveTitle(/[.][.]/)
  await frame.locator('#cvv').press('Enter')
  await page.waitForTimeout(500)
  await expect(button).toBeDisabled()
  await expectPaysWith(cofre, (await page.title()).replace('Shop', ''))
})
