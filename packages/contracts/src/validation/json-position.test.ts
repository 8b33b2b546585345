import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenJsonAt } from './json-position.js'

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('where a text stops being JSON', () => {
  it.each([
    ['', 1, 1],
    ['  ', 1, 3],
    ['{"a": 1', 1, 8],
    ['{"a": 1,}', 1, 9],
    ['{"a" 1}', 1, 6],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ["{'a': 1}", 1, 2],
    ['{"a": "open}', 1, 7],
    ['[1, 2', 1, 6],
    ['[1}', 1, 3],
    ['{"a": 01}', 1, 8],
    ['{"a": 1} {', 1, 10],
    ['undefined', 1, 1],
    ['{"a": TRUE}', 1, 7],
  ])('of %j is line %d, column %d', (text, line, column) => {
    expect(brokenJsonAt(text)).toEqual({ line, column })
  })

  it('is nowhere in JSON, and somewhere in all other texts', () => {
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', ':', '1', 'x', '\\', ' '))
      .map(([json, at, put]) => {
        const place = at % (json.length + 1)
        return json.slice(0, place) + put + json.slice(place + 1)
      })
    fc.assert(
      fc.property(fc.oneof(fc.json(), changed, fc.string()), (text) => {
        expect(brokenJsonAt(text) === undefined).toBe(parses(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('is found in a body of the largest size', () => {
    const long = '['.repeat(100_000)
    expect(brokenJsonAt(`"${'x'.repeat(262_000)}`)).toEqual({ line: 1, column: 1 })
    expect(brokenJsonAt(long)).toEqual({ line: 1, column: 100_001 })
    expect(brokenJsonAt(`{"a": "${'\\"'.repeat(100_000)}`)).toEqual({ line: 1, column: 7 })
  })
})
