import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { vaultOfScript } from './script-url.js'

class ScriptElement {
  readonly src: string

  constructor(src: string) {
    this.src = src
  }
}

beforeEach(() => {
  vi.stubGlobal('HTMLScriptElement', ScriptElement)
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  ['https://vault.shop.com.br/payment.cofre.min.js', 'https://vault.shop.com.br'],
  ['https://shop.com.br/pay/static/payment.cofre.min.js', 'https://shop.com.br/pay/static'],
  ['https://shop.com.br/pay/p.js?v=1/2#a/b', 'https://shop.com.br/pay'],
  ['http://localhost:8082/payment.cofre.min.js', 'http://localhost:8082'],
  ['https://vault.shop.com.br/v/0.1.0/payment.cofre.min.js', 'https://vault.shop.com.br'],
  ['https://shop.com.br/pay/v/1.2.3-rc.1/p.js?v=1', 'https://shop.com.br/pay'],
  ['https://shop.com.br/dev/1/p.js', 'https://shop.com.br/dev/1'],
  ['https://shop.com.br/v/pay/p.js', 'https://shop.com.br/v/pay'],
  ['', ''],
])('a script from %j uses the vault %j', (src, vault) => {
  vi.stubGlobal('document', { currentScript: new ScriptElement(src) })
  expect(vaultOfScript()).toBe(vault)
})

it.each([
  ['nothing, as in a module', null],
  ['an SVG script', { href: 'https://vault.shop.com.br/p.js' }],
  ['an image that somebody named currentScript', { src: 'https://evil.example/p.js' }],
])('has no address when the current script is %s', (_what, currentScript) => {
  vi.stubGlobal('document', { currentScript })
  expect(vaultOfScript()).toBe('')
})
