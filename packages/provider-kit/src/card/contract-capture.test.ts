import { describe, expect, it } from 'vitest'
import { CAPTURE_DAYS_QUESTION, contractCaptureDays } from './contract-capture.js'

describe("a contract's days for a capture", () => {
  it.each([
    ['1', 1],
    ['9', 9],
    ['10', 10],
    ['29', 29],
    ['0', undefined],
    ['30', undefined],
    ['07', undefined],
    ['', undefined],
    ['5 days', undefined],
  ])('are from 1 to 29: %j', (captureDays, days) => {
    expect(contractCaptureDays({ captureDays })).toBe(days)
    expect(CAPTURE_DAYS_QUESTION.answerIn?.({ captureDays })).toBe(days && captureDays)
  })

  it('are unknown if the account does not state them', () => {
    expect(contractCaptureDays({ profile: 'checkout' })).toBeUndefined()
  })
})
