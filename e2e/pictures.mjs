// `npm run pictures`: takes the pictures of the README, in docs/images/. Wants Node 22.18 or later, which reads TypeScript.
import { Buffer } from 'node:buffer'
import { mkdirSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { URL, fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { findBrowser } from './browser.ts'
import { freePorts, startCofre } from './cofre-process.ts'

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url))
const QUALITY = 80

const cofre = await startCofre(await freePorts())
const browser = await chromium.launch({
  executablePath: findBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
})
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 }, locale: 'en-US' })
  const shop = `http://127.0.0.1:${cofre.ports.demo}`
  await page.goto(shop)
  await page.locator('form[action*="cart"] button').first().click()
  await page.goto(`${shop}/checkout`)
  await page.getByRole('button', { name: 'Fill with test data' }).click()
  await page
    .getByRole('radio')
    .first()
    .evaluate((radio) => radio.closest('section, fieldset').scrollIntoView({ behavior: 'instant' }))
  const devTools = await page.context().newCDPSession(page)
  const { data } = await devTools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}shop.webp`, Buffer.from(data, 'base64'))
} finally {
  await browser.close()
  await cofre.dispose()
}
