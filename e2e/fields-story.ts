import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { promisify } from 'node:util'
import { type FrameLocator, type Page, expect } from '@playwright/test'
import { expectRunning } from './card-frame.js'
import { COFRE, type CofreProcess, STORE } from './cofre-process.js'
import { test as base } from './library-story.js'
import type { ShopServer } from './shop-server.js'

/** The card fields' API for a page. */
export interface CardFields {
  readonly card?: { brand: string | null; bin: string | null; lastFour: string }
  on(name: string, listener: (event: unknown) => void): () => void
  getDirectToken(callback?: unknown): unknown
  focus(field?: string): void
  destroy(): void
}

declare global {
  interface Window {
    readonly fields: CardFields
    /** All events that reached the page, in order: the name first. */
    readonly heard: readonly (readonly [name: string, ...unknown[]])[]
  }
}

/** A public test card, as people type it. */
export const CARD = { number: '4111 1111 1111 1111', expiry: '12/35', cvv: '737' } as const

export const FIELDS_SCRIPT = 'fields.cofre.min.js'

/** The strictest policy of a shop: it allows neither styles nor connections. */
export const strictPolicy = (vaultUrl: string): Record<string, string> => ({
  'Content-Security-Policy': `default-src 'none'; script-src ${vaultUrl} 'self'; frame-src ${vaultUrl}`,
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

/** Runs the command on a running product's data, with this environment added. */
async function run(cofre: CofreProcess, args: readonly string[]): Promise<void> {
  const env = { ...process.env, COFRE_DATA_DIR: cofre.dataDir }
  await promisify(execFile)(process.execPath, [COFRE, ...args], { env })
}

/** The last origins registered for each product's store. */
const registered = new WeakMap<CofreProcess, { line: string; origins: readonly string[] }>()

/**
 * Gives the store these origins, only in the sandbox, and waits until the vault knows them and no
 * others. The demo shop's origins stay in production, where later stories need them.
 */
export async function registerOrigins(
  cofre: CofreProcess,
  origins: readonly string[],
  bin: 'show' | 'hide' = 'hide',
): Promise<void> {
  const line = [bin, ...origins].join()
  const before = registered.get(cofre)
  if (before?.line === line) return
  const given = origins.flatMap((origin) => ['--origin', origin])
  const gone = before?.origins.filter((origin) => !origins.includes(origin)) ?? []
  const set = ['store', 'set', STORE.id, '--fields-bin', bin]
  // A page can't know which environment will charge its token: both must allow the BIN.
  if (bin === 'show') await run(cofre, set)
  await run(cofre, [...set, '--sandbox', '--replace', ...given])
  await expect
    .poll(async () => {
      const url = `http://127.0.0.1:${cofre.ports.vault}/fields?store=${STORE.id}`
      const page = await fetch(url)
      const policy = page.headers.get('Content-Security-Policy') ?? ''
      return {
        all: origins.every((origin) => policy.includes(origin)),
        more: gone.some((origin) => policy.includes(origin)),
        bin: (await page.text()).includes('data-shows-bin="true"') ? 'show' : 'hide',
      }
    })
    .toEqual({ all: true, more: false, bin })
  registered.set(cofre, { line, origins })
}

/** The same shop on its own site: browsers keep the fields in a separate process. */
export const onAnotherSite = (url: string): string => url.replace('127.0.0.1', 'localhost')

/** A shop whose origin may show the store's fields, and the vault's URL. */
export const test = base.extend<{ registered: ShopServer; vaultUrl: string }>({
  registered: async ({ cofre, shop }, use) => {
    await registerOrigins(cofre, [shop.url, onAnotherSite(shop.url)])
    await use(shop)
  },
  vaultUrl: async ({ cofre }, use) => {
    await use(`http://127.0.0.1:${cofre.ports.vault}`)
  },
})

export interface ShopPage {
  readonly shop: ShopServer
  readonly vaultUrl: string
  /** Options of the fields; default: the product's store. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly head?: string
  /** Runs before the fields are created. */
  readonly before?: string
  readonly body?: string
}

/** The page's own script: creates the fields, and records all their events. */
const script = (options: object, before: string): string => `
  window.heard = []
  addEventListener('message', ({ data, origin }) => heard.push(['window', origin, data]))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    heard.push(['violation', violatedDirective, blockedURI])
  })
  ${before}
  window.fields = new Cofre.CardFields(document.getElementById('fields'), ${JSON.stringify(options)})
  for (const name of ['ready', 'error', 'change', 'focus', 'blur', 'submit'])
    fields.on(name, (event) => heard.push([name, event]))`

/** Serves a shop's page with the fields. Returns its URL. */
export function serveShopPage(given: ShopPage): string {
  const { shop, vaultUrl, options, headers = {}, head = '', before = '', body = '' } = given
  const name = randomBytes(4).toString('hex')
  const made = script({ store: STORE.id, ...options }, before)
  shop.files.set(`/${name}.js`, { type: 'text/javascript', body: made })
  const tag = `<script src="${vaultUrl}/${FIELDS_SCRIPT}" crossorigin="anonymous"></script>`
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">${head || tag}</head>
    <body><main><h1>Checkout</h1>${body || '<div id="fields"></div><button>Pay</button>'}</main>
    <script src="/${name}.js"></script></body></html>`
  shop.files.set(`/${name}`, { type: 'text/html', body: page, headers })
  return `${shop.url}/${name}`
}

export const frameOf = (page: Page): FrameLocator => page.frameLocator('#fields iframe')

/** Opens a shop's page and waits until its fields are ready. */
export async function openFields(page: Page, given: ShopPage): Promise<FrameLocator> {
  await page.goto(serveShopPage(given))
  await expectReady(page)
  return frameOf(page)
}

export async function expectReady(page: Page, times = 1): Promise<void> {
  const ready = () => page.evaluate(() => window.heard.filter(([name]) => name === 'ready').length)
  await expect.poll(ready).toBe(times)
}

/** Types the card key by key. */
export async function typeCard(
  frame: FrameLocator,
  card: Partial<typeof CARD> = CARD,
): Promise<void> {
  await expectRunning(frame)
  for (const [field, text] of Object.entries(card))
    await frame.locator(`#${field}`).pressSequentially(text.replaceAll(/[ /]/g, ''))
}

/** The callback's arguments. */
export function tokenOf(page: Page): Promise<[string | null, string?]> {
  return page.evaluate(
    () =>
      new Promise<[string | null, string?]>((resolve) => {
        window.fields.getDirectToken((...answer: [string | null, string?]) => {
          resolve(answer)
        })
      }),
  )
}

/** All events that reached the page, and the newest of each name. */
export async function fieldEvents(page: Page): Promise<{
  readonly all: Window['heard']
  readonly last: Readonly<Record<string, unknown>>
}> {
  const all = await page.evaluate(() => window.heard)
  return { all, last: Object.fromEntries(all.map(([name, event]) => [name, event])) }
}
