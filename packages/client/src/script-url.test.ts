import { afterEach, expect, it, vi } from 'vitest'
import { scriptDirectory } from './script-url.js'

afterEach(() => {
  vi.unstubAllGlobals()
})

it.each([
  [{ src: 'https://vault.shop.com.br/payment.cofre.min.js' }, 'https://vault.shop.com.br/'],
  [
    { src: 'https://shop.com.br/pay/static/payment.cofre.min.js' },
    'https://shop.com.br/pay/static/',
  ],
  [{ src: 'https://shop.com.br/pay/p.js?v=1/2#a/b' }, 'https://shop.com.br/pay/'],
  [{ src: 'http://localhost:8082/payment.cofre.min.js' }, 'http://localhost:8082/'],
  [{ src: '' }, ''],
  [{ href: 'an SVG script' }, ''],
  [null, ''],
])('the directory of %j is %j', (currentScript, directory) => {
  vi.stubGlobal('document', { currentScript })
  expect(scriptDirectory()).toBe(directory)
})
