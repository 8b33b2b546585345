import { describe, expect, it } from 'vitest'
import { reasonOf } from './error-reason.js'

const coded = (error: Error, code: string): Error => Object.assign(error, { code })

describe('the reason of an error', () => {
  it.each([
    ['is its message', new Error('gone'), 'gone'],
    [
      'has its code',
      coded(new Error('could not extend file'), '53100'),
      'could not extend file (53100)',
    ],
    [
      'has a code once',
      coded(new Error('connect ECONNREFUSED ::1:5432'), 'ECONNREFUSED'),
      'connect ECONNREFUSED ::1:5432',
    ],
    [
      'is that of the first of its errors',
      coded(
        new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('other')]),
        'ECONNREFUSED',
      ),
      'connect ECONNREFUSED ::1:5432',
    ],
    [
      'is its code when it has nothing else',
      coded(new AggregateError([]), 'ETIMEDOUT'),
      'ETIMEDOUT',
    ],
    ['is its name when there is no code', new TypeError(), 'TypeError'],
    ['is text when it is no error', 'a text', 'a text'],
  ])('%s', (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason)
  })
})
