// Reads the output of `npm run build`.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { VISA } from '../test/cards.js'
import { FakeVault } from '../test/fake-vault.js'
import { until } from '../test/until.js'
import type * as Library from './index.js'

const BUDGET_GZIP_BYTES = 2700
const FIELDS_BUDGET_GZIP_BYTES = 3072
const FRAME_BUDGET_GZIP_BYTES = 12_288

const vendor = process.env.COFRE_VENDOR ?? 'cofre'
const globalName = vendor.charAt(0).toUpperCase() + vendor.slice(1)
const built = (file: string): string =>
  readFileSync(new URL(`../dist/${file}`, import.meta.url), 'utf8')
const minified = built(`payment.${vendor}.min.js`)
const FILES = [`payment.${vendor}.min.js`, `payment.${vendor}.js`, 'index.js']
const FIELDS_FILES = [`fields.${vendor}.min.js`, `fields.${vendor}.js`, 'fields.js']
const FRAME_FILE = 'fields-frame.min.js'
const gzipSize = (file: string): number => gzipSync(built(file), { level: 9 }).length

/** Runs the built script as a page does. */
function loadScript(code: string, src: string): typeof Library {
  class ScriptElement {
    src = src
  }
  vi.stubGlobal('HTMLScriptElement', ScriptElement)
  vi.stubGlobal('document', { currentScript: new ScriptElement(), hidden: false })
  vm.runInThisContext(code)
  vi.stubGlobal('document', { currentScript: null, hidden: false })
  return Reflect.get(globalThis, globalName) as typeof Library
}

afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(globalThis, globalName)
})

describe('the script-tag build', () => {
  it(`weighs at most ${String(BUDGET_GZIP_BYTES)} bytes on the wire`, () => {
    expect(gzipSync(minified, { level: 9 }).length).toBeLessThanOrEqual(BUDGET_GZIP_BYTES)
  })

  it.each([`payment.${vendor}.min.js`, `payment.${vendor}.js`])(
    '%s defines its global and deposits a card where it came from, twice on one page',
    async (file) => {
      const vault = new FakeVault()
      vi.stubGlobal('fetch', vault.fetch)
      for (const times of [1, 2]) {
        const { PaymentMethod } = loadScript(
          built(file),
          `${vault.baseUrl}/${file}?v=${String(times)}`,
        )
        const paymentMethod = new PaymentMethod({ store: '5F7A' })
        const token = await new Promise<string | undefined>((resolve) => {
          paymentMethod.getDirectToken(VISA, (_err, directToken) => {
            resolve(directToken)
          })
        })
        expect(vault.cards.get(token ?? '')).toMatchObject({
          number: '4111111111111111',
          store: '5F7A',
        })
        await expect(paymentMethod.createDirectToken({ ...VISA, cvv: '' })).rejects.toMatchObject({
          code: 'creditcard_invalid_fields',
          fields: ['cvv'],
        })
        expect(paymentMethod.brandOf('4')).toBe('visa')
        expect(paymentMethod.validate(VISA)).toEqual([])
        await until(() => paymentMethod.isReady())
        expect(vault.cards.size).toBe(times)
      }
    },
  )
})

describe('the card fields', () => {
  it('weigh at most 3 KB on the wire, on the shop’s page', () => {
    expect(gzipSize(FIELDS_FILES[0] ?? '')).toBeLessThanOrEqual(FIELDS_BUDGET_GZIP_BYTES)
  })

  it('weigh at most 12 KB in the frame, with their look', () => {
    const size = gzipSize(FRAME_FILE) + gzipSize('fields-frame.css')
    expect(size).toBeLessThanOrEqual(FRAME_BUDGET_GZIP_BYTES)
  })

  it.each(FIELDS_FILES.slice(0, 2))('%s adds to the global of the library', (file) => {
    loadScript(minified, 'https://vault.test/payment.js')
    loadScript(built(file), `https://vault.test/static/v/0.3.0/${file}`)
    const global = Reflect.get(globalThis, globalName) as Record<string, { baseUrl?: string }>
    expect(Object.keys(global).toSorted()).toEqual(['CardFields', 'PaymentMethod'])
    expect(global.CardFields?.baseUrl).toBe('https://vault.test/static')
  })

  it('have no code on the shop’s page that could read or send a card', () => {
    for (const file of FIELDS_FILES)
      for (const forbidden of ['crypto.', 'fetch(', 'XMLHttpRequest', 'sendBeacon', 'localStorage'])
        expect(built(file)).not.toContain(forbidden)
  })
})

it.each([FILES[0], FIELDS_FILES[0], FRAME_FILE])(
  '%s has no syntax that came after ES2020',
  (file) => {
    const transpiled = (target: ts.ScriptTarget): string =>
      ts.transpileModule(built(file ?? ''), {
        compilerOptions: { target, module: ts.ModuleKind.ESNext },
      }).outputText
    expect(transpiled(ts.ScriptTarget.ES2020)).toBe(transpiled(ts.ScriptTarget.ESNext))
  },
)

it.each([...FILES, ...FIELDS_FILES, FRAME_FILE])(
  '%s has a source map that holds every source',
  (file) => {
    expect(built(file)).toContain(`//# sourceMappingURL=${file}.map`)
    const { sources, sourcesContent } = JSON.parse(built(`${file}.map`)) as {
      sources: string[]
      sourcesContent: (string | null)[]
    }
    expect(sources.length).toBeGreaterThan(6)
    expect(sources.filter((_, i) => !sourcesContent[i])).toEqual([])
    expect(sources.filter((source) => !source.startsWith('../'))).toEqual([])
  },
)

describe.each([
  ['index', ['PaymentMethod', 'createSecurityCodeToken'], 'payment-method.d.ts'],
  ['fields', ['CardFields'], 'card-fields.d.ts'],
] as const)('the ES module %s', (module, names, types) => {
  it('can be imported where there is no page', async () => {
    const fetch = vi.fn()
    vi.stubGlobal('fetch', fetch)
    const address = new URL(`../dist/${module}.js`, import.meta.url).href
    const library = (await import(address)) as typeof Library
    expect(Object.keys(library).sort()).toEqual([...names, 'DirectTokenError'].sort())
    expect(fetch).not.toHaveBeenCalled()
  })

  it('has types that need no other package', () => {
    const pending = [`${module}.d.ts`]
    const seen = new Set<string>()
    for (const file of pending) {
      if (seen.has(file)) continue
      seen.add(file)
      for (const [, specifier = ''] of built(file).matchAll(/(?:from |import\()['"](.*?)['"]/g)) {
        expect(specifier).toMatch(/^\.\//)
        pending.push(specifier.slice(2).replace(/\.js$/, '.d.ts'))
      }
    }
    expect(seen).toContain(types)
  })
})

it.each([...FILES, ...FIELDS_FILES, FRAME_FILE])(
  '%s has nothing that does not belong on a checkout page',
  (file) => {
    const code = built(file)
    for (const forbidden of [
      'zod',
      'node:',
      'eval(',
      'new Function',
      'define(',
      'import(',
      '@cofre/',
    ])
      expect(code).not.toContain(forbidden)
    if (FILES.includes(file)) expect(code).not.toContain('iframe')
    // No address of its own: every request goes to the script's origin.
    expect(code).not.toMatch(/https?:\/\//)
  },
)
