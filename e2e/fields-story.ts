import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { promisify } from 'node:util'
import { type FrameLocator, type Page, expect } from '@playwright/test'
import { expectRunning } from './card-frame.js'
import { COFRE, type CofreProcess, STORE } from './cofre-process.js'
import { test as base } from './library-story.js'
import type { ShopServer } from './shop-server.js'

/** The card fields as a page sees them. */
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
    /** All that has reached the page, in its order: the name first. */
    readonly told: readonly (readonly [name: string, ...unknown[]])[]
  }
}

/** A public test card, as people type it. */
export const CARD = { number: '4111 1111 1111 1111', expiry: '12/35', cvv: '737' } as const

export const FIELDS_SCRIPT = 'fields.cofre.min.js'

/** The policy of a shop that is as strict as it can be: neither styles nor connections. */
export const strictPolicy = (vaultUrl: string): Record<string, string> => ({
  'Content-Security-Policy': `default-src 'none'; script-src ${vaultUrl} 'self'; frame-src ${vaultUrl}`,
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

/** Runs the command on the data of a running product, with this environment besides. */
async function run(cofre: CofreProcess, args: readonly string[]): Promise<void> {
  const env = { ...process.env, COFRE_DATA_DIR: cofre.dataDir }
  await promisify(execFile)(process.execPath, [COFRE, ...args], { env })
}

/** What the store of a product was given last. */
const registered = new WeakMap<CofreProcess, { line: string; origins: readonly string[] }>()

/**
 * Gives the store these origins in the sandbox alone, and waits until the vault knows them, and no
 * others: the demo shop's stay in production, where the stories after this one need them.
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
  // A page cannot know which environment will charge its token: both have to allow the BIN.
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

/** The same shop at a site of its own: browsers keep the fields in a process of their own. */
export const onAnotherSite = (url: string): string => url.replace('127.0.0.1', 'localhost')

/** A shop whose origin may show the fields of the store; its pages are on the vault's own port. */
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
  /** Of the product's store unless given. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly head?: string
  /** Runs before the fields are made. */
  readonly before?: string
  readonly body?: string
}

/** The page's own script: makes the fields, and keeps all that they tell the page. */
const script = (options: object, before: string): string => `
  window.told = []
  const tell = addEventListener
  addEventListener('message', ({ data, origin }) => told.push(['window', origin, data]))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    told.push(['violation', violatedDirective, blockedURI])
  })
  ${before}
  window.fields = new Cofre.CardFields(document.getElementById('fields'), ${JSON.stringify(options)})
  for (const name of ['ready', 'error', 'change', 'focus', 'blur', 'submit'])
    fields.on(name, (event) => told.push([name, event]))`

/** Serves a shop's page with the fields. Returns its address. */
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

/** Opens a shop's page and waits until its fields can be used. */
export async function openFields(page: Page, given: ShopPage): Promise<FrameLocator> {
  await page.goto(serveShopPage(given))
  await expectReady(page)
  return frameOf(page)
}

export async function expectReady(page: Page, times = 1): Promise<void> {
  const ready = () => page.evaluate(() => window.told.filter(([name]) => name === 'ready').length)
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

/** All that has reached the page, and the newest of each name. */
export async function toldOf(page: Page): Promise<{
  readonly all: Window['told']
  readonly last: Readonly<Record<string, unknown>>
}> {
  const all = await page.evaluate(() => window.told)
  return { all, last: Object.fromEntries(all.map(([name, event]) => [name, event])) }
}
