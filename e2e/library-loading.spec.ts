import { type Page, expect } from '@playwright/test'
import {
  type LibraryGlobal,
  RELEASED_SCRIPT,
  SCRIPT,
  VISA,
  expectPayable,
  newInstance,
  openLibrary,
  openPage,
  test,
  tokenize,
} from './library-story.js'

/** Events on a page that must not happen. */
interface Complaints {
  readonly violations: string[]
  readonly defined: unknown[]
}

declare global {
  interface Window {
    complaints: Complaints
    define: unknown
  }
}

const policyOf = (vaultUrl: string): Record<string, string> => ({
  'Content-Security-Policy': `default-src 'none'; script-src ${vaultUrl}; connect-src ${vaultUrl}`,
})

/** Ways to put the script at this URL onto a page. */
const WAYS: readonly { name: string; head: (url: string) => string; injected?: boolean }[] = [
  { name: 'a plain tag', head: (url) => `<script src="${url}/${SCRIPT}"></script>` },
  { name: 'an async tag', head: (url) => `<script async src="${url}/${SCRIPT}"></script>` },
  { name: 'a deferred tag', head: (url) => `<script defer src="${url}/${SCRIPT}"></script>` },
  {
    name: 'two tags, one of them versioned',
    head: (url) =>
      `<script src="${url}/${SCRIPT}"></script><script src="${url}/${RELEASED_SCRIPT}?again=/1"></script>`,
  },
  { name: 'a loader that injects a tag', head: () => '', injected: true },
  {
    name: 'a tag on a page with a base elsewhere',
    head: (url) =>
      `<base href="https://elsewhere.example/"><script src="${url}/${SCRIPT}"></script>`,
  },
]

async function inject(page: Page, url: string): Promise<void> {
  await page.evaluate(async (src) => {
    const script = document.createElement('script')
    script.src = src
    await new Promise((resolve, reject) => {
      script.onload = resolve
      script.onerror = reject
      document.head.append(script)
    })
  }, `${url}/${SCRIPT}`)
}

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const complaints: Complaints = { violations: [], defined: [] }
    window.complaints = complaints
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      complaints.violations.push(`${violatedDirective} ${blockedURI}`)
    })
    const define = (...factory: unknown[]): unknown => complaints.defined.push(factory)
    window.define = Object.assign(define, { amd: {} })
  })
})

for (const { name, head, injected = false } of WAYS) {
  test(`the library works under its policy alone when loaded by ${name}`, async ({
    page,
    cofre,
    link,
    shop,
  }) => {
    const problems: string[] = []
    const origins = new Set<string>()
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => origins.add(new URL(request.url()).origin))

    await openPage({ page, shop }, head(link.url), policyOf(link.url))
    if (injected) await inject(page, link.url)
    await page.waitForFunction(() => 'Cofre' in window)
    await newInstance(page)
    await expectPayable(cofre, await tokenize(page))

    expect(await page.evaluate(() => window.complaints)).toEqual({ violations: [], defined: [] })
    expect(problems).toEqual([])
    expect([...origins].toSorted()).toEqual([shop.url, link.url].toSorted())
    // A preflight would be an OPTIONS request.
    expect(new Set(link.requests.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']))
    expect(await page.context().cookies()).toEqual([])
  })
}

test('the policy of these stories does block what it does not name', async ({
  page,
  link,
  shop,
}) => {
  await openPage({ page, shop }, '<script>window.ran = true</script>', policyOf(link.url))
  await page.waitForFunction(() => window.complaints.violations.length > 0)
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
})

test('instances share a session, overlapping calls get a token each', async ({
  page,
  cofre,
  link,
  shop,
}) => {
  await openPage({ page, shop }, `<script src="${link.url}/${SCRIPT}"></script>`)
  const tokens = await page.evaluate(async (card) => {
    const instances = [1, 2, 3].map(() => new window.Cofre.PaymentMethod())
    return Promise.all(instances.map((instance) => instance.createDirectToken(card)))
  }, VISA)
  expect(new Set(tokens).size).toBe(3)
  for (const token of tokens) await expectPayable(cofre, [null, token])
})

test('the ES module works with the address it is given', async ({ page, cofre, link, shop }) => {
  const { readFile } = await import('node:fs/promises')
  const module = await readFile(new URL('../packages/client/dist/index.js', import.meta.url))
  shop.files.set('/cofre.js', { type: 'text/javascript', body: module.toString() })
  await openPage({ page, shop }, '')
  const token = await page.evaluate(
    async ([library, baseUrl, card]) => {
      const { PaymentMethod } = (await import(library)) as LibraryGlobal
      return new PaymentMethod({ baseUrl }).createDirectToken(card)
    },
    [`${shop.url}/cofre.js`, link.url, VISA] as const,
  )
  await expectPayable(cofre, [null, token])
})

test('a page that names an image currentScript cannot send the card elsewhere', async ({
  page,
  link,
  shop,
}) => {
  await openPage(
    { page, shop },
    `</head><body><img name="currentScript" src="https://evil.example/x.png"><script src="${link.url}/${SCRIPT}"></script>`,
  )
  const origins: string[] = []
  page.on('request', (request) => origins.push(new URL(request.url()).origin))
  await newInstance(page)
  expect(await tokenize(page)).toEqual(['session_create_error'])
  expect(origins).toEqual([])
})

test('a page whose Object.prototype was polluted does not send the card elsewhere', async ({
  page,
  cofre,
  link,
  shop,
}) => {
  await page.addInitScript(() => {
    Object.assign(Object.prototype, { baseUrl: 'https://evil.example', store: 'evil' })
  })
  await openLibrary({ page, shop }, link)
  await expectPayable(cofre, await tokenize(page))
})

test('a frame without an origin of its own can tokenize', async ({ page, cofre, link, shop }) => {
  shop.files.set('/frame', {
    type: 'text/html',
    body: `<script>document.write('<script src="${link.url}/${SCRIPT}"></' + 'script>')</script>`,
    headers: { 'Content-Security-Policy': 'sandbox allow-scripts' },
  })
  await page.goto(`${shop.url}/frame`)
  expect(await page.evaluate(() => window.origin)).toBe('null')
  await newInstance(page)
  await expectPayable(cofre, await tokenize(page))
})

test('a page that has extended the prototypes of the language can tokenize', async ({
  page,
  cofre,
  link,
  shop,
}) => {
  await page.addInitScript(() => {
    const extension = (): string => 'an old library'
    Object.assign(Array.prototype, { toJSON: extension, each: extension })
    Object.assign(Object.prototype, { extension })
    Object.assign(Function.prototype, { extension })
  })
  await openPage({ page, shop }, `<script src="${link.url}/${SCRIPT}"></script>`)
  // Playwright's own calls fail in such a page: it reports through the console.
  const answer = page.waitForEvent('console')
  await page.addScriptTag({
    content: `new Cofre.PaymentMethod().getDirectToken(${JSON.stringify(VISA)}, (err, token) => {
      console.log(err === null ? token : err)
    })`,
  })
  await expectPayable(cofre, [null, (await answer).text()])
})
