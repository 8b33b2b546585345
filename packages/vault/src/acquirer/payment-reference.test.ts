import { describe, expect, it } from 'vitest'
import { paymentReference, readReference, refundReference } from './payment-reference.js'

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

  it('is read as what it was made of, and nobody else’s', () => {
    expect(readReference(paymentReference(key), key)).toEqual({
      of: 'payment',
      code: key.transactionCode,
    })
    expect(readReference(refundReference(key, '7'), key)).toEqual({ of: 'refund', code: '7' })
    const sandbox = { ...key, environment: 'sandbox' } as const
    expect(readReference(paymentReference(key), sandbox)).toBeUndefined()
    for (const text of [
      '',
      'loja',
      'lojap',
      'lojap7x',
      'outrap7',
      'lojax7',
      'lojap1234567890123456',
    ])
      expect(readReference(text, key)).toBeUndefined()
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
