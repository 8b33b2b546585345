import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.js'
import { createOriginPage } from './origin-page.js'

const SANDBOX = 'https://sandbox.example.com'
const config = readConfig({ COFRE_PUBLIC_SANDBOX_URL: SANDBOX }, 'serve')
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'en' }
const ROLES = ['api', 'sandbox', 'vault', 'notices', 'metrics'] as const

describe('/ of an origin', () => {
  it.each(ROLES)('is a page for browsers: %s', async (role) => {
    const answer = await createOriginPage(role, config).request('/', { headers: BROWSER })
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toContain('text/html')
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(page).toMatch(/<html lang="en">.*<h1>Cofre: /s)
    expect(page).not.toMatch(/<script|undefined|\[object/)
  })

  it('is text for terminals, in the language they ask for', async () => {
    const app = createOriginPage('sandbox', config)
    expect(await (await app.request('/')).text()).toBe(
      [
        'Cofre: sandbox da API de pagamentos',
        'A mesma API da produção, onde nenhum dinheiro é movimentado. Quem desenvolve lojas testa aqui.',
        `Referência da API, com pedidos para experimentar no sandbox: ${SANDBOX}/docs`,
        `Todos os erros: ${SANDBOX}/docs/errors`,
        `Documento OpenAPI: ${SANDBOX}/openapi.json`,
        '',
      ].join('\n'),
    )
    const english = await app.request('/', { headers: { Accept: '*/*', 'Accept-Language': 'en' } })
    expect(english.headers.get('Content-Type')).toContain('text/plain')
    expect(await english.text()).toContain('where no money moves')
  })

  it.each(['application/json', 'application/vnd.cofre.v1+json; charset=UTF-8'])(
    'is no success for a program that asks for %s',
    async (accept) => {
      const app = createOriginPage('api', config)
      expect((await app.request('/', { headers: { Accept: accept } })).status).toBe(404)
    },
  )

  it('names the sandbox in production only where it is known', async () => {
    const textOf = async (environ: Record<string, string>) =>
      (await createOriginPage('api', readConfig(environ, 'serve')).request('/')).text()
    expect(await textOf({ COFRE_PUBLIC_SANDBOX_URL: SANDBOX })).toContain(`${SANDBOX}/docs`)
    expect(await textOf({})).not.toContain('/docs')
  })
})
