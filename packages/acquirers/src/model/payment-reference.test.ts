import { describe, expect, it } from 'vitest'
import { idempotencyKey, paymentReference, refundReference } from './payment-reference.js'

const key = {
  installation: 'loja',
  environment: 'production',
  transactionCode: '123456789012345',
} as const

describe('a reference', () => {
  it('has the 20 letters and digits that Cielo hands on', () => {
    expect(paymentReference(key)).toBe('lojap123456789012345')
    expect(paymentReference({ ...key, environment: 'sandbox' })).toBe('lojas123456789012345')
    expect(refundReference(key, '7')).toBe('lojar7')
    expect(refundReference({ ...key, environment: 'sandbox' }, '7')).toBe('lojat7')
  })

  it.each([
    [{ ...key, installation: '' }],
    [{ ...key, installation: 'Loja' }],
    [{ ...key, installation: 'loja-exemplo' }],
    [{ ...key, transactionCode: '12a' }],
    [{ ...key, transactionCode: '' }],
  ])('is refused for %j', (wrong) => {
    expect(() => paymentReference(wrong)).toThrow(RangeError)
  })
})

it('an idempotency key is another for each account, operation and reference', () => {
  const keys = [
    idempotencyKey('a', 'b', 'c'),
    idempotencyKey('a', 'bc', ''),
    idempotencyKey('ab', '', 'c'),
    idempotencyKey('a","b', '', 'c'),
  ]
  expect(new Set(keys).size).toBe(4)
  expect(idempotencyKey('a', 'b', 'c')).toMatch(/^[0-9a-f]{64}$/)
})
