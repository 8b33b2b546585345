/** @jsxImportSource hono/jsx */
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import {
  Document,
  LanguageLink,
  MalformedFormError,
  Notice,
  type Site,
  fill,
  formTokenOf,
  formatDay,
  formatMoney,
  formatTime,
  isCookieId,
  isFormToken,
  isFromOwnPage,
  languageOf,
  languageRoutes,
  limitForms,
  newCookieId,
  openAssets,
  ownPath,
  readCookie,
  readForm,
  removeCookie,
  securityHeaders,
  sendDocument,
  writeCookie,
} from './index.js'

const SITE: Site = { url: 'https://site.example', name: 'site', sameSite: 'Strict' }
const LOCAL: Site = { ...SITE, url: 'http://127.0.0.1:8084' }
const assets = openAssets(new URL('../assets/', import.meta.url))

describe('a cookie', () => {
  const app = (site: Site) =>
    new Hono()
      .get('/', (c) => c.text(readCookie(c, site, 'mark') ?? 'none'))
      .get('/set', (c) => {
        writeCookie(c, site, { name: 'mark', value: 'x', lifetimeS: 60 })
        return c.text('set')
      })
      .get('/remove', (c) => {
        removeCookie(c, site, 'mark')
        return c.text('removed')
      })

  it('belongs only to this host over https', async () => {
    const { headers } = await app(SITE).request('/set')
    expect(headers.get('Set-Cookie')).toBe(
      '__Host-mark=x; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict',
    )
    const kept = await app(SITE).request('/', { headers: { Cookie: '__Host-mark=x' } })
    expect(await kept.text()).toBe('x')
    const other = await app(SITE).request('/', { headers: { Cookie: 'mark=x' } })
    expect(await other.text()).toBe('none')
  })

  it('works over http on a developer’s machine, and can be removed', async () => {
    const { headers } = await app(LOCAL).request('/set')
    expect(headers.get('Set-Cookie')).toBe('mark=x; Max-Age=60; Path=/; HttpOnly; SameSite=Strict')
    const removed = await app(LOCAL).request('/remove')
    expect(removed.headers.get('Set-Cookie')).toContain('mark=; Max-Age=0')
  })
})

describe('the language', () => {
  const app = new Hono()
    .route('/', languageRoutes(LOCAL))
    .get('/', (c) => c.text(languageOf(c, LOCAL)))
  const ask = async (headers: Record<string, string>): Promise<string> =>
    (await app.request('/', { headers })).text()

  it.each([
    ['en-US', 'en'],
    ['en-US,en;q=0.9,pt;q=0.8', 'en'],
    ['fr, EN;q=0.5', 'en'],
    ['pt;q=0.5, en;q=0.8', 'en'],
    ['en, pt;q=0', 'en'],
    ['pt-BR,pt;q=0.9,en-US;q=0.8', 'pt-BR'],
    ['pt-PT, en', 'pt-BR'],
    ['en;q=0.5, *', 'pt-BR'],
    ['en;q=0', 'pt-BR'],
    ['en;q=.5', 'en'],
    ['en;q=.5, pt;q=0.9', 'pt-BR'],
    ['en;q=abc,pt;q=0.9', 'en'],
    ['fr-CA', 'pt-BR'],
    ['*', 'pt-BR'],
    ['', 'pt-BR'],
    ['e n;;q=x,,', 'pt-BR'],
  ])('of a first visit with %j is %s', async (accepted, language) => {
    expect(await ask({ 'Accept-Language': accepted })).toBe(language)
  })

  it.each([
    ['en-US', 'pt-BR', 'en'],
    ['pt-PT', 'en', 'pt-BR'],
    ['es-ES', 'en', 'en'],
  ])('of what is written in %s is, for a browser of %s, %s', async (shown, accepted, language) => {
    const shows = new Hono().get('/', (c) => c.text(languageOf(c, LOCAL, shown)))
    const headers = { 'Accept-Language': accepted }
    expect(await (await shows.request('/', { headers })).text()).toBe(language)
    const chosen = { ...headers, Cookie: 'site_language=en' }
    expect(await (await shows.request('/', { headers: chosen })).text()).toBe('en')
  })

  it('is Portuguese for a browser that names none', async () => {
    expect(await ask({})).toBe('pt-BR')
  })

  it('is the one that was chosen, from then on', async () => {
    const changed = await app.request('/language/en?to=%2Fcart%3Fx%3D1')
    expect([changed.status, changed.headers.get('Location')]).toEqual([303, '/cart?x=1'])
    const Cookie = changed.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    expect(await ask({ Cookie, 'Accept-Language': 'pt' })).toBe('en')
    expect((await app.request('/language/xx')).status).toBe(404)
  })

  it.each([
    ['https://evil.example/x', '/x'],
    ['//evil.example/x', '/x'],
    ['/\\evil.example', '/'],
    ['https://evil.example//evil.example', '/evil.example'],
    ['javascript:alert(1)', '/alert(1)'],
    ['foo:/\\evil.example', '/evil.example'],
    ['foo:\\/\\evil.example', '/evil.example'],
    ['http://[', '/'],
  ])('is changed without a way from %s to another site', (to, path) => {
    expect(ownPath(to)).toBe(path)
  })
})

describe('a form', () => {
  const app = new Hono()
    .use(limitForms((c) => c.text('too large', 413)))
    .post('/', async (c) => c.json([...(await readForm(c))]))
  app.onError((error, c) =>
    error instanceof MalformedFormError ? c.text('no form', 400) : c.text(error.message, 500),
  )
  const post = (type: string, body: string) =>
    app.request('/', { method: 'POST', headers: { 'Content-Type': type }, body })
  const urlEncoded = 'application/x-www-form-urlencoded'

  it('has the last text of each name', async () => {
    expect(await (await post(urlEncoded, 'a=1&a=2&b=x+y')).json()).toEqual([
      ['a', '2'],
      ['b', 'x y'],
    ])
    expect(await (await app.request('/', { method: 'POST' })).json()).toEqual([])
  })

  it.each([
    ['multipart/form-data', 'a=1'],
    ['multipart/form-data; boundary=x', ''],
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"'],
    ['application/json', '{}'],
    ['text/plain', 'a=1'],
  ])('is malformed as %s with %j', async (type, body) => {
    expect((await post(type, body)).status).toBe(400)
  })

  it('has at most 64 KiB', async () => {
    expect((await post(urlEncoded, `a=${'x'.repeat(70_000)}`)).status).toBe(413)
  })

  it('is tied to one browser by its token', () => {
    const [one, other] = [newCookieId(), newCookieId()]
    expect([isCookieId(one), isCookieId(`${one}x`), isCookieId('')]).toEqual([true, false, false])
    expect(isFormToken(formTokenOf(one), one)).toBe(true)
    expect(isFormToken(formTokenOf(other), one)).toBe(false)
    expect(isFormToken('', one)).toBe(false)
  })

  it.each([
    [{ 'Sec-Fetch-Site': 'same-origin' }, true],
    [{ 'Sec-Fetch-Site': 'none' }, true],
    [{ 'Sec-Fetch-Site': 'cross-site' }, false],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: SITE.url }, false],
    [{ Origin: 'https://evil.example' }, false],
    [{ Origin: SITE.url }, true],
    [{ Origin: 'null' }, true],
    [{}, true],
  ])('with %j comes from an own page: %s', (headers, own) => {
    const request = new Request('http://internal.example/', { method: 'POST', headers })
    expect(isFromOwnPage(request, SITE)).toBe(own)
  })
})

describe('the files of a site', () => {
  it('have an address for each version, which browsers keep', async () => {
    const address = assets.urlOf('base.css')
    expect(address).toMatch(/^\/assets\/base\.css\?v=[0-9a-f]{12}$/)
    const { headers } = await assets.routes.request(address)
    expect(headers.get('Content-Type')).toBe('text/css; charset=UTF-8')
    expect(headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    const again = await assets.routes.request('/assets/base.css', {
      headers: { 'If-None-Match': headers.get('ETag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('are requested again without their version', async () => {
    const { headers } = await assets.routes.request('/assets/base.js?v=old')
    expect(headers.get('Cache-Control')).toBe('no-cache')
  })

  it('are no others', async () => {
    expect((await assets.routes.request('/assets/..%2Fpackage.json')).status).toBe(404)
    expect(() => assets.urlOf('nothing.css')).toThrow('no file nothing.css')
  })
})

describe('a page', () => {
  const withIcon = { ...assets, urlOf: (name: string) => `/assets/${name}` }
  const app = new Hono()
    .use(
      securityHeaders(SITE, {
        scripts: ['https://vault.example'],
        calls: ['https://api.example'],
        frames: ['https://bank.example'],
        images: ['data:'],
        referrerPolicy: 'no-referrer',
      }),
    )
    .route('/', assets.routes)
    .get('/', (c) =>
      sendDocument(
        c,
        <Document
          title="Cart"
          language="en"
          assets={withIcon}
          styles={['shop.css']}
          skipToContent="Skip"
        >
          <LanguageLink language="en" here="/cart?a=1&b=2" label="Português" />
          <main id="content">
            <Notice title="<b>" text="Nothing" level="page" />
          </main>
        </Document>,
        404,
      ),
    )

  it('loads nothing inline and nothing from elsewhere but its sources', async () => {
    const { headers } = await app.request('/')
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self' https://vault.example; connect-src 'self' https://api.example; img-src 'self' data:; frame-src https://bank.example; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=15552000')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('X-Frame-Options')).toBe('DENY')
  })

  it('is a whole document in its language, kept by no cache', async () => {
    const response = await app.request('/')
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-store'])
    expect(response.headers.has('ETag')).toBe(false)
    const html = await response.text()
    expect(html).toMatch(/^<!doctype html><html lang="en">/i)
    expect(html).toContain('/language/pt-BR?to=%2Fcart%3Fa%3D1%26b%3D2')
    expect(html).toContain('<h1>&lt;b&gt;</h1>')
    expect(html.indexOf('base.css')).toBeLessThan(html.indexOf('shop.css'))
  })
})

describe('texts', () => {
  it('are filled with every value they name', () => {
    expect(fill('{count} of {all}, {count}', { count: 1, all: '2' })).toBe('1 of 2, 1')
    expect(() => fill('{count}', {})).toThrow('no value for {count}')
  })

  it.each([
    [0, 'R$ 0,00', 'R$0.00', 'BRL 0.00'],
    [5, 'R$ 0,05', 'R$0.05', 'BRL 0.05'],
    [123_456, 'R$ 1.234,56', 'R$1,234.56', 'BRL 1,234.56'],
    [
      9_007_199_254_740_991,
      'R$ 90.071.992.547.409,91',
      'R$90,071,992,547,409.91',
      'BRL 90,071,992,547,409.91',
    ],
  ])('show %i centavos exactly', (centavos, portuguese, english, code) => {
    expect(formatMoney(centavos, 'pt-BR')).toBe(portuguese)
    expect(formatMoney(centavos, 'en')).toBe(english)
    expect(formatMoney(centavos, 'en', 'code')).toBe(code)
  })

  it('show times of Brasília and days', () => {
    const timeMs = Date.parse('2026-11-21T17:05:30Z')
    expect(formatTime(timeMs, 'pt-BR')).toBe('21 de nov. de 2026, 14:05')
    expect(formatDay('2026-11-21', 'en')).toBe('November 21, 2026')
    expect(formatDay('soon', 'en')).toBe('')
  })
})
