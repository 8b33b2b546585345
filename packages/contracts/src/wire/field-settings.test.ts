import { describe, expect, it } from 'vitest'
import { FIELD_ORIGINS_MAX, fieldOriginSchema, fieldSettingsSchema } from './field-settings.js'

describe('an origin that may show card fields', () => {
  it.each([
    'https://shop.example',
    'https://shop.example:8443',
    'https://xn--caf-dma.example',
    'https://203.0.113.7',
    'http://localhost:3000',
    'http://loja.localhost:3000',
    'http://127.0.0.1:8084',
  ])('is %s', (origin) => {
    expect(fieldOriginSchema.parse(origin)).toBe(origin)
  })

  // Each of them would change the policy that contains it, or open it to everyone.
  it.each([
    '*',
    'https://*',
    'https://*.shop.example',
    'https:',
    'https://shop.example; script-src *',
    'https://a;script-src',
    'https://shop.example https://evil.example',
    'https://shop.example,https://evil.example',
    "https://shop.example 'self'",
    'https://shop.example\nX-Header: 1',
    'https://shop.example/',
    'https://shop.example/checkout',
    'https://shop.example?x',
    'https://maria@shop.example',
    'https://Shop.example',
    'https://shop.example.',
    'https://[::1]',
    'http://shop.example',
    'http://localhost.shop.example',
    'http://127.0.0.1.shop.example',
    'data:text/html,x',
    'null',
    '',
    `https://${'a.'.repeat(100)}example`,
  ])('is not %j', (origin) => {
    expect(fieldOriginSchema.safeParse(origin).success).toBe(false)
  })

  it('is one of few', () => {
    const announced = { environment: 'production', storeId: 'loja', revision: 1, showsBin: false }
    const named = (count: number) => Array.from({ length: count }, (_, i) => `https://${i}.example`)
    const isTaken = (origins: readonly string[]) =>
      fieldSettingsSchema.safeParse({ ...announced, origins }).success
    expect(isTaken(named(FIELD_ORIGINS_MAX))).toBe(true)
    expect(isTaken(named(FIELD_ORIGINS_MAX + 1))).toBe(false)
  })
})
