import { describe, expect, it } from 'vitest'
import { type AppliedCardChange, isChargedBack } from './card-change.js'

type Step = readonly [kind: AppliedCardChange['kind'], atMs: number]

describe('a charge whose disputes are reported in any order', () => {
  it.each<[string, boolean, readonly Step[]]>([
    ['nothing but an announcement', false, [['dispute_announced', 1]]],
    ['a chargeback', true, [['charged_back', 1]]],
    [
      'one that was won',
      false,
      [
        ['charged_back', 1],
        ['chargeback_reversed', 2],
      ],
    ],
    [
      'one that was won, reported backwards',
      false,
      [
        ['chargeback_reversed', 2],
        ['charged_back', 1],
      ],
    ],
    [
      'one that was won at once, reported backwards',
      false,
      [
        ['chargeback_reversed', 1],
        ['charged_back', 1],
      ],
    ],
    [
      'a second one',
      true,
      [
        ['charged_back', 1],
        ['chargeback_reversed', 2],
        ['charged_back', 3],
      ],
    ],
    [
      'two, of which one was won',
      true,
      [
        ['charged_back', 1],
        ['charged_back', 2],
        ['chargeback_reversed', 3],
      ],
    ],
    [
      'one after a reversal that was reported alone',
      true,
      [
        ['chargeback_reversed', 2],
        ['charged_back', 3],
      ],
    ],
  ])('is charged back, or not, by the times of %s: %s', (_, expected, steps) => {
    expect(isChargedBack(steps.map(([kind, atMs]) => ({ kind, atMs })))).toBe(expected)
  })
})
