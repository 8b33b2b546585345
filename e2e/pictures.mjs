// `npm run pictures`: takes the README's screenshots, in docs/images/. Needs Node 22.18 or later,
// which runs TypeScript.
import { Buffer } from 'node:buffer'
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { URL, fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { createMerchantClient } from '@cofre/merchant'
import { findBrowser } from './browser.ts'
import { STORE, freePorts, startCofre } from './cofre-process.ts'
import { cardOrder, railOrder } from './orders.ts'

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url))
const QUALITY = 80
/** Paid, declined, under review. */
const CARDS = ['4111111111111111', '4000000000000002', '4000000000000010', '5555444433331111']

const cofre = await startCofre(await freePorts())
const browser = await chromium.launch({
  executablePath: findBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, locale: 'en-US' })
  await showShop(page)
  await takePicture(page, 'shop')
  await showPanel(page)
  await takePicture(page, 'panel')
} finally {
  await browser.close()
  await cofre.dispose()
}

/** The demo shop's checkout, filled in. */
async function showShop(page) {
  const shop = `http://127.0.0.1:${cofre.ports.demo}`
  await page.goto(shop)
  await page.locator('form[action*="cart"] button').first().click()
  await page.goto(`${shop}/checkout`)
  await page.getByRole('button', { name: 'Fill with test data' }).click()
  await page
    .getByRole('radio')
    .first()
    .evaluate((radio) => radio.closest('section, fieldset').scrollIntoView({ behavior: 'instant' }))
}

/** The console's list, with a few transactions. */
async function showPanel(page) {
  const merchant = createMerchantClient({
    baseUrl: `http://127.0.0.1:${cofre.ports.sandbox}`,
    storeId: STORE.id,
    secret: STORE.secret,
  })
  const panel = `http://127.0.0.1:${cofre.ports.panel}`
  const orders = [
    ...CARDS.map((number) => (options) => cardOrder(number, options)),
    (options) => railOrder('pix', options),
    (options) => railOrder('boleto', options),
  ]
  for (const [i, order] of orders.entries()) {
    const reference = `serra-azul-${1041 + i}`
    await merchant.createTransaction(order({ reference, notificationUrl: `${panel}/inbox/none` }))
  }
  await page.goto(`${panel}/sign-in/sandbox`)
  await page.locator('input[name=store], input[autocomplete=username]').first().fill(STORE.id)
  await page.locator('input[type=password]').fill(STORE.secret)
  await page.locator('main form button').first().click()
  await page.getByRole('table').waitFor()
}

async function takePicture(page, name) {
  const devTools = await page.context().newCDPSession(page)
  const { data } = await devTools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}${name}.webp`, Buffer.from(data, 'base64'))
}
