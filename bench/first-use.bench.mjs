// First use on a slow phone: from the shop's page to the first token, with nothing cached, at 3G
// and with a slowed processor, both by Chromium's own emulation. Beside it the same flow with jose
// in a bundle, and the library in a bare frame: the least that a frame-based form could cost.
import './lib/cleanup.mjs'
import process from 'node:process'
import { chromium } from '@playwright/test'
import { findBrowser } from '../e2e/browser.ts'
import { freePort } from '../e2e/cofre-process.ts'
import { gzipBytes, moduleCosts } from './lib/bundle-modules.mjs'
import { inPairs, report, row } from './lib/compare.mjs'
import { doorFiles, shopFiles } from './lib/first-use/shapes.mjs'
import { openVaultDoor } from './lib/first-use/vault-door.mjs'
import { startProduct } from './lib/processes.mjs'

const LIBRARY = new URL('../packages/client/dist/payment.cofre.min.js', import.meta.url)
/** How many times slower the processor is. */
const SLOWNESSES = [4, 20]
/** "Fast 3G" of Chromium's developer tools; milliseconds, and bytes a second. */
const FAST_3G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 188_743,
  uploadThroughput: 86_400,
}
const DEADLINE_MS = 60_000

const product = await startProduct()
const [doorPort, shopPort] = [await freePort(), await freePort()]
const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
const files = await doorFiles()
const closeDoor = await openVaultDoor({ port: doorPort, vaultUrl, files })
const shop = shopFiles(`http://127.0.0.1:${doorPort}`)
const closeShop = await openVaultDoor({ port: shopPort, vaultUrl, files: shop })
const browser = await chromium.launch({
  executablePath: findBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
})

const rows = []
for (const slowness of SLOWNESSES) {
  const ours = () => firstTokenMs('library', slowness)
  const what = `ms to the first token at 3G, processor ${slowness} x slower`
  const jose = await inPairs({ ours, limit: () => firstTokenMs('jose', slowness) })
  rows.push(row(`${what}, beside jose`, jose, '<= 1'))
  const frame = await inPairs({ ours, limit: () => firstTokenMs('frame', slowness) })
  rows.push(row(`${what}, beside a bare frame`, frame, '<= 1'))
}
await browser.close()
closeShop()
closeDoor()
await product.stop()

const bytes = gzipBytes(files['/payment.js'])
const joseBytes = gzipBytes(files['/jose.js'])
rows.push({
  what: 'bytes gzip -9 of the library, beside the same with jose',
  ours: bytes,
  limit: joseBytes,
  ratio: Number((bytes / joseBytes).toPrecision(3)),
})
for (const module of moduleCosts(LIBRARY)) {
  rows.push({ what: `bytes gzip -9 of the library that ${module.name} takes`, value: module.bytes })
}
report('first-use', rows)

/** From the end of the page's document to its first token; a context of its own has no cache. */
async function firstTokenMs(shape, slowness) {
  const context = await browser.newContext()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', FAST_3G)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  page.setDefaultTimeout(DEADLINE_MS)
  await page.goto(`http://127.0.0.1:${shopPort}/${shape}.html`, { waitUntil: 'commit' })
  await page.waitForFunction(() => globalThis.outcome !== undefined)
  const ms = await page.evaluate(() => globalThis.outcome)
  await context.close()
  return ms
}
