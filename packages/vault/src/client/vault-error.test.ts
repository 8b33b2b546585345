import { describe, expect, it } from 'vitest'
import { VaultUnreachableError } from './vault-error.js'

describe('VaultUnreachableError', () => {
  it.each([
    ['what failed', new Error('connect ECONNREFUSED 10.0.0.5:8086'), 'ECONNREFUSED 10.0.0.5:8086'],
    [
      'the code when every address failed',
      Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }),
      'not reached: ECONNREFUSED',
    ],
  ])('tells %s', (_, cause, reported) => {
    expect(new VaultUnreachableError(cause).message).toContain(reported)
  })
})
