import { describe, expect, it } from 'vitest'
import { transactionRequestTable } from '../transaction/request.js'

const unknownIn = (body: unknown) => transactionRequestTable.unknownFields(body)

describe('fields of a body that nothing reads', () => {
  it('are named by their paths, of list elements the first', () => {
    const item = { description: 'Café', sku: 1, quantity: 1 }
    const body = {
      transaction: { reference: 'order-1', foo: 1 },
      charge: [{ amount: 1, description: 'x', 'payment-method': { type: 'eft', kind: 'x' } }],
      cart: [{ quantity: 1 }, item, item],
      metadata: { a: { b: 1 } },
    }
    expect(unknownIn(body)).toEqual([
      'transaction.foo',
      'charge[0].description',
      'charge[0].payment-method.kind',
      'cart[1].sku',
      'metadata',
    ])
  })

  it.each([
    ['4111111111111111'],
    ['card-4111111111111111'],
    ['a'.repeat(41)],
    ['a b'],
    ['é'],
    ['a\r\nSet-Cookie: x'],
    ['eyJhbGciOi.eyJl'],
    ['cvv123'],
  ])('are not named where a name is %j', (name) => {
    expect(unknownIn({ transaction: { [name]: 1 } })).toEqual(['transaction.*'])
  })

  it('are ten at most, whatever a body is', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x_${at % 90}_y`, 1]))
    const names = 'abcdefghijklmnop'.split('').map((letter) => [`field_${letter}`, many])
    expect(unknownIn(Object.fromEntries(names))).toHaveLength(10)
    for (const body of [null, 7, 'text', [], [{ foo: 1 }], { charge: 7, cart: { a: 1 } }])
      expect(unknownIn(body)).toEqual([])
  })
})
