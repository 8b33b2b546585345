import { TEST_ENGINES } from '@cofre/sql/testing'
import type { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestVault, openTestVault } from '../vault.fixture.js'
import { FRAME_SCRIPT, FRAME_STYLE } from './card-fields-routes.js'
import type { LibraryFile } from './library-routes.js'
import { createVaultRoutes } from './vault-routes.js'

const SHOP = 'https://shop.example'
const OTHER_SHOP = 'http://localhost:3000'
const API = 'https://api.cofre.example'

const file = (name: string): LibraryFile => ({ name, content: new TextEncoder().encode(name) })
const FILES = {
  current: {
    version: '0.3.0',
    isFinal: true,
    files: [file('fields.cofre.min.js'), file(FRAME_SCRIPT), file(FRAME_STYLE)],
  },
  earlier: [],
} as const

const policy = (ancestors: string): string =>
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  `form-action 'none'; base-uri 'none'; frame-ancestors ${ancestors}`

let test: TestVault
let routes: Hono

beforeAll(async () => {
  const [engine] = TEST_ENGINES
  if (engine === undefined) throw new Error('no engine')
  test = await openTestVault(engine)
  const settings = { environment: 'production', revision: 1 } as const
  await test.vault.setFieldSettings({
    ...settings,
    storeId: 'shop',
    origins: [SHOP, OTHER_SHOP],
    showsBin: true,
  })
  await test.vault.setFieldSettings({
    ...settings,
    storeId: 'bare',
    origins: [],
    showsBin: false,
  })
  routes = createVaultRoutes(test.vault, {
    log: test.log,
    cardFields: { files: FILES, paymentPageOrigins: [API] },
  })
})
afterAll(() => test.database.close())

const get = async (path: string) => {
  const response = await routes.request(path)
  return { response, page: await response.text() }
}

describe('the page of the card fields', () => {
  it('may be framed on the origins of its store alone, and only connects to the vault', async () => {
    const { response, page } = await get('/fields?store=shop')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=UTF-8',
      'content-security-policy': policy(`${SHOP} ${OTHER_SHOP}`),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-resource-policy': 'cross-origin',
      'origin-agent-cluster': '?1',
    })
    const features = response.headers.get('permissions-policy')?.split(', ') ?? []
    expect(features.length).toBeGreaterThan(15)
    expect(features.filter((feature) => !feature.endsWith('=()'))).toEqual([])
    expect(response.headers.has('set-cookie')).toBe(false)
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
    expect(page).toContain(`data-origins="${SHOP} ${OTHER_SHOP}"`)
    expect(page).toContain('data-shows-bin="true"')
  })

  it('has no code, style or name that a form would send', async () => {
    const { page } = await get('/fields?store=shop')
    expect(page).not.toMatch(
      /<style|\sstyle=|\son\w+=|<script[^>]*><\/script>\s*<script|\sname="(?!viewport|robots)/i,
    )
    expect(page.match(/<script[^>]*>/g)).toEqual([`<script src="v/0.3.0/${FRAME_SCRIPT}" defer>`])
    for (const autocomplete of ['cc-number', 'cc-exp', 'cc-csc'])
      expect(page).toContain(`autocomplete="${autocomplete}"`)
  })

  it.each([
    ['a store without origins', '/fields?store=bare'],
    ['a store that is unknown', '/fields?store=nobody'],
    ['no store', '/fields'],
    ['an empty store', '/fields?store='],
    ['a store that is too long', `/fields?store=${'x'.repeat(5000)}`],
    ['a store with HTML', '/fields?store=%3Cscript%3E'],
    ['a store that ends the header', '/fields?store=a%0D%0Ab'],
    ['a store of NULs', '/fields?store=%00'],
  ])('is the same for %s, and framed nowhere', async (_name, path) => {
    const [unknown, wanted] = [await get('/fields?store=unknown'), await get(path)]
    expect(wanted.response.status).toBe(200)
    expect(wanted.response.headers.get('content-security-policy')).toBe(policy("'none'"))
    expect([...wanted.response.headers]).toEqual([...unknown.response.headers])
    expect(wanted.page).toBe(unknown.page)
    expect(wanted.page).toContain('data-origins=""')
  })

  it.each([
    ['', 'pt-BR', 'Número do cartão'],
    ['&language=pt-BR', 'pt-BR', 'Número do cartão'],
    ['&language=en', 'en', 'Card number'],
    ['&language=es', 'es', 'Número de la tarjeta'],
    ['&language=%22%3E%3Cscript%3E', 'pt-BR', 'Número do cartão'],
  ])('with%s is in %s', async (query, language, label) => {
    const { page } = await get(`/fields?store=shop${query}`)
    expect(page).toContain(`lang="${language}"`)
    expect(page).toContain(`<label for="number">${label}</label>`)
    expect(page).not.toContain('"><script')
  })

  it.each([
    ['', 'light'],
    ['&color-scheme=dark', 'dark'],
    ['&color-scheme=light+dark', 'light dark'],
    ['&color-scheme=url(x)', 'light'],
  ])('with%s has %s colours', async (query, colors) => {
    expect((await get(`/fields?store=shop${query}`)).page).toContain(
      `data-color-scheme="${colors}"`,
    )
  })

  it('asks for the security code of a saved card alone, on the origins of its store', async () => {
    const { response, page } = await get('/fields/security-code?store=shop&language=en')
    expect(response.headers.get('content-security-policy')).toBe(policy(`${SHOP} ${OTHER_SHOP}`))
    expect(page).toContain('<title>Security code of the saved card</title>')
    expect(page.match(/<input[^>]*id="\w+"/g)).toHaveLength(1)
    expect(page).toMatch(/<label for="cvv">Code \(CVV\)<\/label>[^]*autocomplete="cc-csc"/)
    expect(page).toContain(`<script src="../v/0.3.0/${FRAME_SCRIPT}" defer>`)
    const unknown = await get('/fields/security-code?store=unknown')
    expect(unknown.response.headers.get('content-security-policy')).toBe(policy("'none'"))
  })

  it('is on Cofre’s own payment page for any store, known or not, without its BIN', async () => {
    for (const store of ['shop', 'nobody']) {
      const { response, page } = await get(`/fields/payment-page?store=${store}`)
      expect(response.headers.get('content-security-policy')).toBe(policy(API))
      expect(page).toContain(`data-origins="${API}"`)
      expect(page).toContain('data-shows-bin="false"')
      expect(page).toContain(`<script src="../v/0.3.0/${FRAME_SCRIPT}" defer>`)
    }
  })

  it('refuses other methods in the one error shape', async () => {
    const response = await routes.request('/fields?store=shop', { method: 'POST' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  it('is nowhere when the fields are not served', async () => {
    const bare = createVaultRoutes(test.vault, { log: test.log })
    expect((await bare.request('/fields?store=shop')).status).toBe(404)
  })
})

describe('the files of the card fields', () => {
  it.each([
    ['fields.cofre.min.js', 'text/javascript; charset=utf-8'],
    [FRAME_SCRIPT, 'text/javascript; charset=utf-8'],
    [FRAME_STYLE, 'text/css; charset=utf-8'],
  ])('%s stays for good where its version is', async (name, type) => {
    const { response, page } = await get(`/v/0.3.0/${name}`)
    expect(page).toBe(name)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it('are in the manifest', async () => {
    const manifest = JSON.parse((await get('/integrity.json')).page) as {
      files: { url: string }[]
    }
    expect(manifest.files.map(({ url }) => url)).toEqual(
      FILES.current.files.map(({ name }) => `v/0.3.0/${name}`),
    )
  })

  it('have to be whole', () => {
    const files = {
      ...FILES,
      current: { ...FILES.current, files: [FILES.current.files[0]] } as const,
    }
    expect(() =>
      createVaultRoutes(test.vault, {
        log: test.log,
        cardFields: { files, paymentPageOrigins: [] },
      }),
    ).toThrow(FRAME_SCRIPT)
  })
})
