import { expect, it } from 'vitest'
import { growingMs } from './growing.js'

it('doubles from the first pause to the longest, whatever the number of attempts', () => {
  expect([0, 1, 2, 3].map((attempts) => growingMs(100, 700, attempts))).toEqual([
    100, 200, 400, 700,
  ])
  expect(growingMs(100, 700, 100_000)).toBe(700)
})
