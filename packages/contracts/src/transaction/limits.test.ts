import { describe, expect, it } from 'vitest'
import {
  DECIMAL_CODE,
  REFERENCE,
  REFERENCE_LENGTH_MAX,
  SAVED_CODE,
  SAVED_CODE_LENGTH,
  TRANSACTION_CODE,
  TRANSACTION_CODE_DIGITS_MAX,
} from './limits.js'

describe('A pattern', () => {
  it.each([
    ['reference', REFERENCE, REFERENCE_LENGTH_MAX],
    ['saved code', SAVED_CODE, SAVED_CODE_LENGTH],
    ['decimal code', DECIMAL_CODE, TRANSACTION_CODE_DIGITS_MAX],
    ['transaction code', TRANSACTION_CODE, TRANSACTION_CODE_DIGITS_MAX],
  ])('of a %s ends where its length says', (_, pattern, lengthMax) => {
    expect(pattern.test('1'.repeat(lengthMax))).toBe(true)
    expect(pattern.test('1'.repeat(lengthMax + 1))).toBe(false)
  })
})
