import { describe, expect, it } from 'vitest'
import { NoAnswerError, answeredWithin } from './answered-within.js'

describe('answeredWithin', () => {
  it('returns the answer or the failure', async () => {
    expect(await answeredWithin(10_000, () => Promise.resolve('yes'))).toBe('yes')
    const failure = new Error('no')
    await expect(answeredWithin(10_000, () => Promise.reject(failure))).rejects.toBe(failure)
  })

  it('waits no longer than it should', async () => {
    const never = new Promise<never>(() => undefined)
    await expect(answeredWithin(1, () => never)).rejects.toThrow(NoAnswerError)
  })
})
