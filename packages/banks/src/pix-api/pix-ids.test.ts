import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newPixTxid, pixRefundId, pixTxid } from './pix-ids.js'

const bits = fc.uint8Array({ minLength: 20, maxLength: 20 })

describe('a txid', () => {
  it('is the base32 of 160 bits (RFC 4648), in small letters', () => {
    expect(newPixTxid(Buffer.from('foobarfoobarfoobarfo'))).toBe('mzxw6ytbojtg633cmfzgm33pmjqxeztp')
  })

  it('is another one for other bits, and one that a bank takes', () => {
    fc.assert(
      fc.property(bits, bits, (one, other) => {
        const txid = newPixTxid(one)
        expect(pixTxid(txid)).toMatch(/^[a-z2-7]{32}$/)
        expect(txid === newPixTxid(other)).toBe(Buffer.from(one).equals(other))
      }),
    )
  })

  it.each([[0], [16], [21]])('is not made of %i bytes', (size) => {
    expect(() => newPixTxid(Buffer.alloc(size))).toThrow(RangeError)
  })

  it.each(['a'.repeat(25), 'a'.repeat(36), `${'a'.repeat(30)}/`, ''])('is not %j', (text) => {
    expect(() => pixTxid(text)).toThrow(RangeError)
  })
})

describe('a refund’s id', () => {
  it.each(['', 'a'.repeat(36), 'a-b', 'a/b'])('is not %j', (text) => {
    expect(() => pixRefundId(text)).toThrow(RangeError)
  })
})
