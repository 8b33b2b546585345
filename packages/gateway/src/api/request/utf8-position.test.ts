import { describe, expect, it } from 'vitest'
import { brokenUtf8At } from './utf8-position.js'

const bytes = (...parts: readonly (string | number)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'string' ? part : [part])))

describe('where bytes stop being UTF-8', () => {
  it.each([
    ['a letter of Latin-1', bytes('{"a":"', 0xe9, '"}'), 6],
    ['the first byte', bytes(0xff), 0],
    ['after letters of two, three and four bytes', bytes('é€😀', 0x80), 9],
    ['a character that is cut off', bytes('a', 0xe2, 0x82), 1],
    ['a cut beginning of the replacement character', bytes('a', 0xef, 0xbf), 1],
    ['after replacement characters of its own', bytes('\uFFFDa\uFFFD', 0xc3, '('), 7],
    ['half of a surrogate pair', bytes('ab', 0xed, 0xa0, 0x80), 2],
    ['after a byte order mark', bytes('\uFEFFa', 0xff), 4],
  ])('%s', (_, given, offset) => {
    expect(brokenUtf8At(given)).toBe(offset)
  })

  it('is nowhere in UTF-8', () => {
    expect(brokenUtf8At(bytes('\uFEFFé€😀\uFFFD'))).toBeUndefined()
    expect(brokenUtf8At(bytes())).toBeUndefined()
  })
})
