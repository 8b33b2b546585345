import { transactionRequestTables } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { fingerprintedFields, isOrderOf, orderFingerprint } from './order-fingerprint.js'

/** A different value of these makes no different order. */
const LEFT_OUT =
  /^transaction\.metadata$|\.payment-info\.(?:token|code|security-code-token|credit-card|three-d-secure)(?:\.|$)/

describe('The fingerprint of an order', () => {
  it.each(['specification', 'lenient'] as const)('covers every field, by %s rules', (rules) => {
    const patterns = transactionRequestTables[rules].fields.map(({ pattern }) => pattern)
    const leaves = patterns.filter(
      (pattern) =>
        pattern !== '' &&
        !patterns.some((other) => other.startsWith(`${pattern}.`) || other === `${pattern}[]`),
    )
    // A new field needs a new version of the fingerprint, and the old version unchanged.
    expect(new Set(fingerprintedFields())).toEqual(
      new Set(leaves.filter((pattern) => !LEFT_OUT.test(pattern))),
    )
  })

  it('is what release 0.3 makes of an order, for ever', () => {
    const order = {
      transaction: { reference: 'order-1' },
      charge: [{ amount: 42.5, 'payment-method': { type: 'eft', 'sub-type': 'pix' } }],
      payer: { name: 'Maria', document: { type: 'CPF', number: '52998224725' } },
      cart: [{ quantity: 1, description: 'Café', 'unit-price': '42.50', type: 'digital' }],
    }
    expect(orderFingerprint(order)).toBe('1.YMo8_J5m8zr8CzZGJl-0e3h1SiO0JLJHbdtByyb7UZM')
  })

  it('differs if the card is captured later, and only then', () => {
    const of = (capture: unknown) =>
      orderFingerprint({ charge: [{ amount: 1, 'payment-info': { capture } }] })
    expect(of(true)).toBe(of(undefined))
    expect(of(false)).not.toBe(of(true))
  })

  it.each<[unknown, unknown]>([
    [1, '1'],
    [1.5, '1.50'],
    ['2.000', 2],
    [0, '0.0'],
    [1, '01'],
    [100, '1e2'],
    [undefined, null],
    ['', undefined],
  ])('takes %j and %j for the same', (one, other) => {
    const of = (quantity: unknown) => orderFingerprint({ cart: [{ quantity }] })
    expect(of(one)).toBe(of(other))
  })

  it('compares what is no number as text', () => {
    const of = (number: unknown) => orderFingerprint({ payer: { document: { number } } })
    expect(of('007')).not.toBe(of('7'))
    expect(of(7)).toBe(of('7'))
  })

  it.each<[unknown, unknown]>([
    ['0.1000000000000000000001', '0.1'],
    [10, 100],
    [true, 'true'],
    [1, undefined],
  ])('tells %j and %j apart', (one, other) => {
    const of = (quantity: unknown) => orderFingerprint({ cart: [{ quantity }] })
    expect(of(one)).not.toBe(of(other))
  })

  it('distinguishes which element of a list has a value', () => {
    const [empty, item] = [{}, { quantity: 1 }]
    expect(orderFingerprint({ cart: [empty, item] })).not.toBe(
      orderFingerprint({ cart: [item, empty] }),
    )
  })

  it.each([undefined, null, 1, 'text', [], { cart: {} }, { charge: [null, [], 1] }])(
    'is made of any body: %j',
    (body) => {
      expect(orderFingerprint(body)).toMatch(/^1\.[\w-]{43}$/)
    },
  )

  it('cannot be compared with that of a newer release', () => {
    expect(isOrderOf({}, '999.x')).toBeUndefined()
  })
})
