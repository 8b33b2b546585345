import { createSecretKey, randomBytes } from 'node:crypto'
import { Secret } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SealContext, SealedText, SealingKey } from './sealed-value.js'
import { SealError, open, seal } from './sealed-value.js'

const newKey = (id = 'key-1'): SealingKey => ({
  id,
  key: new Secret(createSecretKey(randomBytes(32))),
})
const KEY = newKey()
const CONTEXT: SealContext = {
  purpose: 'saved-card',
  environment: 'production',
  merchantId: 'store-1',
  recordId: 'record-1',
}

describe('A sealed value', () => {
  it('opens to what was sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, recordId) => {
        const context = { ...CONTEXT, recordId }
        expect([...open(KEY, seal(KEY, bytes, context), context)]).toEqual([...bytes])
      }),
    )
  })

  it('names the key that sealed it, and reveals nothing else', () => {
    expect(seal(KEY, 'card', CONTEXT)).toMatch(/^v1\.key-1\.[\w-]{16}\.[\w-]{27}$/)
  })

  it('is another text each time', () => {
    expect(seal(KEY, 'card', CONTEXT)).not.toBe(seal(KEY, 'card', CONTEXT))
  })

  it.each<[string, Partial<SealContext>]>([
    ['purpose', { purpose: 'direct-token' }],
    ['environment', { environment: 'sandbox' }],
    ['store', { merchantId: 'store-2' }],
    ['record', { recordId: 'record-2' }],
  ])('does not open for another %s', (_, other) => {
    const sealed = seal(KEY, 'card', CONTEXT)
    expect(() => open(KEY, sealed, { ...CONTEXT, ...other })).toThrow(SealError)
  })

  it('does not open when parts of its context move into one another', () => {
    const sealed = seal(KEY, 'card', { ...CONTEXT, merchantId: 'ab', recordId: 'c' })
    expect(() => open(KEY, sealed, { ...CONTEXT, merchantId: 'a', recordId: 'bc' })).toThrow(
      SealError,
    )
  })

  it.each([
    ['another key', newKey()],
    ['the same key under another id', { ...KEY, id: 'key-2' }],
  ])('does not open with %s', (_, key) => {
    expect(() => open(key, seal(KEY, 'card', CONTEXT), CONTEXT)).toThrow(SealError)
  })

  it.each<[string, (sealed: string) => string]>([
    ['is empty', () => ''],
    ['has another format', (sealed) => sealed.replace('v1', 'v2')],
    ['has no body', (sealed) => sealed.split('.').slice(0, 3).join('.')],
    ['has an empty body', (sealed) => sealed.split('.').slice(0, 3).join('.') + '.'],
    ['has a shorter tag', (sealed) => sealed.slice(0, -4)],
    ['has a short IV', (sealed) => sealed.replace(/^(v1\.key-1\.).{4}/, '$1')],
    ['has an empty IV', (sealed) => sealed.replace(/^(v1\.key-1\.)[^.]+/, '$1')],
  ])('does not open when it %s', (_, change) => {
    const sealed = change(seal(KEY, 'card', CONTEXT)) as SealedText
    expect(() => open(KEY, sealed, CONTEXT)).toThrow(SealError)
  })

  it('does not open with any of its bytes changed', () => {
    const sealed = seal(KEY, 'card', CONTEXT)
    const [format = '', id = '', iv = '', body = ''] = sealed.split('.')
    const flipped = (text: string, index: number): string => {
      const bytes = Buffer.from(text, 'base64url')
      bytes[index] = (bytes[index] ?? 0) ^ 1
      return bytes.toString('base64url')
    }
    const changed = [
      ...Array.from({ length: 12 }, (_, i) => [format, id, flipped(iv, i), body].join('.')),
      ...Array.from({ length: 20 }, (_, i) => [format, id, iv, flipped(body, i)].join('.')),
    ]
    for (const text of changed)
      expect(() => open(KEY, text as SealedText, CONTEXT)).toThrow(SealError)
  })
})
