import { ApiError, type ErrorName, errorCatalogue } from '@cofre/contracts'
import { ERRORS_PATH, explainedBody } from '@cofre/contracts/errors'
import { describe, expect, it } from 'vitest'
import { createReferenceRoutes } from './reference-routes.js'

const ORIGIN = 'http://127.0.0.1:8081'
const app = createReferenceRoutes(ORIGIN)

const pageFor = async (headers: Record<string, string> = {}) => {
  const response = await app.request(ERRORS_PATH, { headers })
  return { response, text: await response.text() }
}

describe('the page of errors', () => {
  it('has one anchor for each code, where its address leads', async () => {
    const { text } = await pageFor()
    const anchors = [...text.matchAll(/<section id="(\d+)">/g)].map(([, code]) => Number(code))
    const codes = new Set(Object.values(errorCatalogue).map(({ code }) => code))
    expect(anchors.toSorted()).toEqual([...codes].toSorted())
    for (const name of Object.keys(errorCatalogue) as ErrorName[]) {
      const [error] = explainedBody(new ApiError(name), { docsOrigin: ORIGIN }).errors
      const { pathname, hash, origin } = new URL(error?.doc_url ?? '')
      expect([origin, pathname]).toEqual([ORIGIN, ERRORS_PATH])
      expect(text).toContain(`<section id="${hash.slice(1)}">`)
    }
  })

  it('needs no script, and has the frame of the reference', async () => {
    const { response, text } = await pageFor()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|\son\w+=/)
    expect(text).toMatch(/href="\/assets\/docs\.css\?v=/)
    expect(text).toContain(`href="${ERRORS_PATH}" aria-current="page"`)
    expect(text.slice(text.indexOf('<main'))).not.toMatch(/[{}]|undefined|\[object/)
  })

  it('is in the language that the reader prefers, or has chosen', async () => {
    expect((await pageFor()).text).toContain('<html lang="pt-BR">')
    const english = await pageFor({ 'Accept-Language': 'en-US,en;q=0.9' })
    expect(english.text).toContain('The store already used this reference for another transaction.')
    const chosen = await app.request('/language/en?to=/docs/errors')
    expect(chosen.headers.get('location')).toBe(ERRORS_PATH)
    const cookie = chosen.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    expect((await pageFor({ Cookie: cookie })).text).toContain('<html lang="en">')
  })
})

describe('the pages that errors name', () => {
  it.each(['en', 'pt-BR'])('open, as Markdown in %s', async (language) => {
    const { text } = await pageFor({ 'Accept-Language': language })
    const addresses = new Set(
      [...text.matchAll(/href="(\/docs\/[\w/-]+\.md)"/g)].map(([, at]) => at),
    )
    expect(addresses.size).toBeGreaterThan(3)
    for (const address of addresses) {
      const page = await app.request(address ?? '')
      expect([address, page.status]).toEqual([address, 200])
      expect(page.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
      expect(await page.text()).toMatch(/^# /)
    }
    expect((await app.request('/docs/..%2fREADME.md')).status).toBe(404)
  })

  it('are addresses in messages', () => {
    const failure = { name: 'header_authorization_bad_format' } as const
    const messageIn = (acceptLanguage: string) =>
      explainedBody(new ApiError([failure]), { docsOrigin: ORIGIN, acceptLanguage }).errors[0]
        ?.message
    expect(messageIn('en')).toContain(`(${ORIGIN}/docs/signing.md)`)
    expect(messageIn('pt')).toContain(`(${ORIGIN}/docs/pt-BR/signing.md)`)
  })
})

describe('the reference', () => {
  const english = { 'Accept-Language': 'en' }

  it('is in two languages, and leads to the errors and back', async () => {
    const page = await (await app.request('/docs', { headers: english })).text()
    expect(page).toContain('<html lang="en">')
    expect(page).toContain(`href="${ERRORS_PATH}"`)
    expect(await (await app.request('/docs/')).text()).toContain('<html lang="pt-BR">')
    expect((await pageFor()).text).toContain('href="/docs"')
  })

  it('lets nothing run and nothing be called but its own origin', async () => {
    const { headers } = await app.request('/docs')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
  })

  it('has no form and no names by which a browser could send what is typed', async () => {
    const page = await (await app.request('/docs')).text()
    expect(page).not.toMatch(/<form|\sname="(?!viewport)/)
  })

  it('loads files of its own, which browsers keep, with their licence', async () => {
    const page = await (await app.request('/docs')).text()
    const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    )
    expect(files.map((file) => file.replace(/\?.*/, ''))).toEqual(
      [
        ...['icon.svg', 'swagger-ui.css', 'swagger-ui-bundle.js', 'docs.js', 'docs.css'],
        'icon.svg',
      ].map((name) => `/assets/${name}`),
    )
    for (const file of files) {
      const { status, headers } = await app.request(file)
      expect([status, headers.get('Cache-Control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
    }
    const licence = await app.request('/assets/swagger-ui-bundle.js.LICENSE.txt')
    expect([licence.status, (await app.request('/assets/nothing.js')).status]).toEqual([200, 404])
  })
})
