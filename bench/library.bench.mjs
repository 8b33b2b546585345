// The browser library in Chromium: size, time to parse and construct, and getDirectToken with a
// session ready, beside the WebCrypto operations that it cannot do without and one POST to a bare
// program that decrypts the token and keeps it durably.
import './lib/cleanup.mjs'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { chromium } from '@playwright/test'
import { findBrowser } from '../e2e/browser.ts'
import { gzipBytes } from './lib/bundle-modules.mjs'
import { digits, inPairs, median, metOrMissed, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { joseEncryptionScript } from './lib/first-use/jose-scripts.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'

const LIBRARY = new URL('../packages/client/dist/payment.cofre.min.js', import.meta.url)
const TOKENS = 200

const source = readFileSync(LIBRARY)
const bytes = gzipBytes(source)
const rows = [
  {
    what: "bytes, gzip -9, beside jose's for the encryption alone",
    ours: bytes,
    // What the library would carry at least, were its JWE jose's: neither sessions nor deposits,
    // no checks of a card.
    limit: gzipBytes(await joseEncryptionScript()),
    target: '<= 2700',
    met: metOrMissed(bytes, '<= 2700'),
  },
]
const browser = await chromium.launch({
  executablePath: findBrowser(),
  chromiumSandbox: process.getuid?.() !== 0,
})
for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  const bare = await startPeer('deposits', await database.bare('bare_tokens'))
  const vaultUrl = `http://127.0.0.1:${product.ports.VAULT}`
  const page = await openPage(`${vaultUrl}/integrity.json`)
  const barePage = await openPage(`http://127.0.0.1:${bare.port}/`)
  await page.addScriptTag({ url: `${vaultUrl}/payment.cofre.min.js` })
  if (engine.name === 'SQLite') rows.push(await compareStarts(page))
  const tokens = await inPairs({
    ours: () => medianOn(page, tokenTimes),
    limit: () => medianOn(barePage, bareTimes),
  })
  const what = `${engine.name}: ms of getDirectToken with a session ready, median`
  rows.push(row(what, tokens, '<= 1.3'))
  await page.close()
  await barePage.close()
  await bare.stop()
  await product.stop()
  await database.stop()
}
await browser.close()
report('library', rows)

async function openPage(url) {
  const page = await browser.newPage()
  await page.goto(url)
  return page
}

async function compareStarts(page) {
  const code = String(source).replace(/^\/\/# sourceMappingURL.*$/m, '')
  const starts = await inPairs({
    ours: () =>
      page.evaluate(
        startMs,
        `${code}; new Cofre.PaymentMethod({ baseUrl: globalThis.location.origin })`,
      ),
    limit: () => page.evaluate(startMs, 'void 0'),
  })
  return {
    what: 'ms to parse, run and construct, beside an empty script',
    ours: digits(starts.ours),
    limit: digits(starts.limit),
    ratio: `+ ${digits(starts.ours - starts.limit)} ms`,
  }
}

async function medianOn(page, times) {
  await page.bringToFront()
  return median(await page.evaluate(times, TOKENS))
}

/**
 * Runs in the page. Each script differs from all before it, so that none is answered from the
 * engine's caches.
 */
async function startMs(code) {
  const SCRIPTS = 200
  const REST_MS = 500
  const startedAt = performance.now()
  for (let i = 0; i < SCRIPTS; i++) {
    const script = document.createElement('script')
    script.textContent = `/* ${startedAt} ${i} */ ${code}`
    document.head.append(script)
  }
  const ms = (performance.now() - startedAt) / SCRIPTS
  // For the sessions that the library has begun to open.
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return ms
}

/** Runs in the page. */
async function tokenTimes(count) {
  const card = {
    creditCard: '4111111111111111',
    cvv: '737',
    expiration: { month: '12', year: '2030' },
  }
  const DEADLINE_MS = 60_000
  const payment = new globalThis.Cofre.PaymentMethod({ baseUrl: globalThis.location.origin })
  const times = []
  const begunAt = performance.now()
  for (let i = 0; i < count; i++) {
    while (!payment.isReady()) {
      if (performance.now() - begunAt > DEADLINE_MS) throw new Error('no session was opened')
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const startedAt = performance.now()
    await payment.createDirectToken(card)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Runs in the bare program's page. */
async function bareTimes(count) {
  const curve = { name: 'ECDH', namedCurve: 'P-256' }
  const { subtle } = crypto
  const bytesOf = (text) => new TextEncoder().encode(text)
  const base64url = (bytes) =>
    globalThis
      .btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const answer = await fetch('/')
  const publicKey = await subtle.importKey('jwk', await answer.json(), curve, false, [])
  const plaintext = new Uint8Array(192)
  const times = []
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now()
    const own = await subtle.generateKey(curve, false, ['deriveBits'])
    const { kty, crv, x, y } = await subtle.exportKey('jwk', own.publicKey)
    const epk = { kty, crv, x, y }
    const header = base64url(bytesOf(JSON.stringify({ alg: 'ECDH-ES', enc: 'A256GCM', epk })))
    const shared = await subtle.deriveBits({ ...curve, public: publicKey }, own.privateKey, 256)
    // Concat KDF (RFC 7518 4.6.2).
    const derived = await subtle.digest(
      'SHA-256',
      Uint8Array.of(
        ...[0, 0, 0, 1],
        ...new Uint8Array(shared),
        ...[0, 0, 0, 7, ...bytesOf('A256GCM')],
        ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
      ),
    )
    const key = await subtle.importKey('raw', derived, 'AES-GCM', false, ['encrypt'])
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const algorithm = { name: 'AES-GCM', iv, additionalData: bytesOf(header) }
    const sealed = new Uint8Array(await subtle.encrypt(algorithm, key, plaintext))
    const parts = [iv, sealed.slice(0, -16), sealed.slice(-16)].map(base64url)
    const kept = await fetch('/', { method: 'POST', body: `${header}..${parts.join('.')}` })
    await kept.text()
    if (!kept.ok) throw new Error(`the bare program answered ${kept.status}`)
    times.push(performance.now() - startedAt)
  }
  return times
}
