import { describe, expect, it } from 'vitest'
import { NoAnswerError } from './answered-within.js'
import { askWithin, unanswered } from './ask-within.js'

const DONE = { kind: 'done', value: 7 } as const
const never = new Promise<never>(() => undefined)

describe('askWithin', () => {
  it("returns the provider's answer", async () => {
    expect(await askWithin(10_000, () => Promise.resolve(DONE), unanswered)).toEqual(DONE)
  })

  it('counts a call that fails, or ends too late, as unknown', async () => {
    const failed = () => Promise.reject(new Error('connection cut'))
    const unknown = { kind: 'unknown', detail: 'connection cut' }
    expect(await askWithin(10_000, failed, unanswered)).toEqual(unknown)
    const errors: unknown[] = []
    const lost = (error: unknown) => {
      errors.push(error)
      return { kind: 'unknown', detail: 'no answer' } as const
    }
    expect(await askWithin(1, () => never, lost)).toEqual({ kind: 'unknown', detail: 'no answer' })
    expect(errors).toEqual([expect.any(NoAnswerError)])
  })
})
