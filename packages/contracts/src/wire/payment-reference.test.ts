import { describe, expect, it } from 'vitest'
import {
  captureReference,
  checkReference,
  paymentReference,
  readReference,
  refundReference,
} from './payment-reference.js'

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
    expect(captureReference(key)).toBe('lojaa123456789012345')
    expect(captureReference({ ...key, environment: 'sandbox' })).toBe('lojab123456789012345')
    expect(checkReference(key)).toBe('lojac123456789012345')
    expect(checkReference({ ...key, environment: 'sandbox' })).toBe('lojak123456789012345')
  })

  it.each([
    [key, '7'],
    [{ ...key, installation: 'p1' }, '123456789012345'],
    [{ ...key, installation: 'ts7p9', environment: 'sandbox' } as const, '0'],
  ])('is read as what it was made of: %j', (of, refundId) => {
    const { installation, environment, transactionCode: code } = of
    expect(readReference(paymentReference(of))).toEqual({
      of: 'payment',
      installation,
      environment,
      code,
    })
    expect(readReference(refundReference(of, refundId))).toEqual({
      of: 'refund',
      installation,
      environment,
      code: refundId,
    })
    expect(readReference(captureReference(of))).toEqual({
      of: 'capture',
      installation,
      environment,
      code,
    })
    expect(readReference(checkReference(of))).toEqual({
      of: 'check',
      installation,
      environment,
      code,
    })
  })

  it.each([
    '',
    'loja',
    'lojap',
    'p7',
    'lojap7x',
    'Lojap7',
    'lojax7',
    'lojaslojasp7',
    `lojap${'1'.repeat(16)}`,
  ])('is not read out of %j', (text) => {
    expect(readReference(text)).toBeUndefined()
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
