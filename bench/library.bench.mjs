// The browser library in Chromium: its size, and the duration of getDirectToken with a session
// ready. It encrypts, and deposits the token at a vault on each engine.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { findBrowser } from '../e2e/browser.ts'
import { digits, median, report } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { startProduct } from './lib/processes.mjs'

const LIBRARY = new URL('../packages/client/dist/payment.cofre.min.js', import.meta.url)
const BYTES_MAX = 2700

const bytes = gzipSync(readFileSync(LIBRARY), { level: 9 }).length
const met = bytes <= BYTES_MAX ? 'met' : 'missed'
const rows = [{ what: 'bytes, gzip -9', ours: bytes, target: `<= ${BYTES_MAX}`, met }]
const browser = await chromium.launch({
  executablePath: findBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
})
for await (const engine of startEngines()) {
  const product = await startProduct(await engine.environ('own'))
  const vaultUrl = `http://127.0.0.1:${product.ports.vault}`
  const page = await browser.newPage()
  await page.goto(`${vaultUrl}/integrity.json`)
  await page.addScriptTag({ url: `${vaultUrl}/payment.cofre.min.js` })
  // A warm-up: a page that has just started is slower.
  await page.evaluate(tokenTimes, 500)
  const ours = digits(median(await page.evaluate(tokenTimes, 500)))
  rows.push({ what: `${engine.name}: ms of getDirectToken with a session ready, median`, ours })
  await page.close()
  await product.stop()
}
await browser.close()
report('library', rows)

/** Runs in the page. */
async function tokenTimes(count) {
  const expiration = { month: '12', year: '2030' }
  const card = { creditCard: '4111111111111111', cvv: '737', expiration }
  const payment = new globalThis.Cofre.PaymentMethod({ baseUrl: globalThis.location.origin })
  const times = []
  for (let i = 0; i < count; i++) {
    while (!payment.isReady()) await new Promise((resolve) => setTimeout(resolve, 1))
    const startedAt = performance.now()
    await payment.createDirectToken(card)
    times.push(performance.now() - startedAt)
  }
  return times
}
