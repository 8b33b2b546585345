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
  ])('of a %s accepts at most its maximum length', (_, pattern, lengthMax) => {
    expect(pattern.test('1'.repeat(lengthMax))).toBe(true)
    expect(pattern.test('1'.repeat(lengthMax + 1))).toBe(false)
  })
})
