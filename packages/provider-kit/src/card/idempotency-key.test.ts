import { expect, it } from 'vitest'
import { idempotencyKey } from './idempotency-key.js'

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
