import { describe, expect, it } from 'vitest'
import { requestFacts, transactionRequestTable } from '../transaction/request.js'
import { JSON_VALUES_MAX, holdsManyValues } from './json-values.js'

const bytes = (json: string): Uint8Array => new TextEncoder().encode(json)

describe('the values of a JSON text', () => {
  it.each([
    ['of a list', `[${'0,'.repeat(JSON_VALUES_MAX)}0]`],
    ['that are empty objects', `{"cart":[${'{},'.repeat(JSON_VALUES_MAX / 2)}{}]}`],
    ['inside each other', '['.repeat(JSON_VALUES_MAX)],
    ['of an object', `{${Array(JSON_VALUES_MAX).fill('"a":0').join(',')}}`],
    ['behind an escaped quotation mark', `["\\"",${'0,'.repeat(JSON_VALUES_MAX)}0]`],
  ])('%s are counted', (_, json) => {
    expect(holdsManyValues(bytes(json))).toBe(true)
  })

  it.each([
    ['signs inside a text', JSON.stringify({ note: '"[{,\\'.repeat(JSON_VALUES_MAX) })],
    ['as many as there may be', `[${'0,'.repeat(JSON_VALUES_MAX - 3)}0]`],
    ['an empty body', ''],
  ])('are not too many in %s', (_, json) => {
    expect(holdsManyValues(bytes(json))).toBe(false)
  })
})

const POLICY = { today: '2026-11-20', wallets: [], acceptsNotificationUrl: () => true }

it('a request of thousands of wrong values names a hundred of them', () => {
  const body = { cart: Array.from({ length: 3000 }, () => ({})) }
  const result = transactionRequestTable.validate(body, requestFacts(body, POLICY))
  expect(result.ok ? 0 : result.failures.length).toBe(100)
})
