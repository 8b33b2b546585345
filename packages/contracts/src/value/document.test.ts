import { isValidCnpj, isValidCpf } from '@brazilian-utils/brazilian-utils'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCnpj, isCpf } from './document.js'

const CPFS = ['52998224725', '39053344705', '11144477735', '29002996080', '00000000191']
const CNPJS = ['11222333000181', '33000167000101', '00000000000191']
const ALPHANUMERIC_CNPJS = ['12ABC34501DE35', '12ABC345000188', 'A0B1C2D3E4F508', 'ZZZZZZZZ000191']

const DIGITS = Array.from({ length: 10 }, (_, digit) => String(digit))

/** A text with one character replaced. */
const mutated = (texts: readonly string[], characters: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(13), fc.constantFrom(...characters))
    .map(([text, at, character]) => {
      const place = at % text.length
      return text.slice(0, place) + character + text.slice(place + 1)
    })

describe('isCpf', () => {
  it.each([...CPFS, '12345678909'])('takes %s', (number) => {
    expect(isCpf(number)).toBe(true)
  })

  it.each([
    '',
    '52998224724',
    '52998224715',
    '529.982.247-25',
    ' 52998224725',
    '52998224725\n',
    '5299822472',
    '529982247250',
    '5299822472A',
    '٥٢٩٩٨٢٢٤٧٢٥',
    ...DIGITS.map((digit) => digit.repeat(11)),
  ])('refuses %j', (number) => {
    expect(isCpf(number)).toBe(false)
  })

  it('agrees with brazilian-utils on any eleven digits and on mutations of valid numbers', () => {
    const numbers = fc.oneof(fc.stringMatching(/^[0-9]{11}$/), mutated(CPFS, DIGITS))
    fc.assert(
      fc.property(numbers, (number) => {
        expect(isCpf(number)).toBe(isValidCpf(number))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes one pair of check digits for any nine digits that differ', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9}$/), (base) => {
        fc.pre(new Set(base).size > 1)
        const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))
        const valid = pairs.filter((pair) => isCpf(base + pair))
        expect(valid).toHaveLength(1)
        expect(isValidCpf(`${base}${valid.join('')}`)).toBe(true)
      }),
    )
  })
})

describe('isCnpj', () => {
  it.each([...CNPJS, ...ALPHANUMERIC_CNPJS])('takes %s', (number) => {
    expect(isCnpj(number)).toBe(true)
  })

  it('takes the numbers with letters that are given since July 2026', () => {
    expect(isCnpj('12ABC34501DE35')).toBe(true)
  })

  it.each(ALPHANUMERIC_CNPJS)('takes %s in lower case', (number) => {
    expect(isCnpj(number.toLowerCase())).toBe(true)
  })

  it.each([
    '',
    '12ABC34501DE36',
    '12ABC34501DE3A',
    '12ABC34501DEAB',
    '12.ABC.345/01DE-35',
    '11.222.333/0001-81',
    '11222333000182',
    '1122233300018',
    '112223330001810',
    ' 11222333000181',
    '11222333000181\n',
    // The rest of an alphanumeric number after a shop stripped its letters.
    '123450135',
    ...DIGITS.map((digit) => digit.repeat(14)),
  ])('refuses %j', (number) => {
    expect(isCnpj(number)).toBe(false)
  })

  it.each([
    ['12ABC3450SDE06', '12ABC3450ſDE06'],
    ['12ABC3450IDE60', '12ABC3450ıDE60'],
    ['12ABC345SSDE05', '12ABC345ßDE05'],
  ])('takes %s, but not %s, which only becomes it in upper case', (ascii, other) => {
    expect(other.toUpperCase()).toBe(ascii)
    expect(isCnpj(ascii)).toBe(true)
    expect(isCnpj(other)).toBe(false)
  })

  it('agrees with brazilian-utils on any number and on mutations of valid ones', () => {
    const numbers = fc.oneof(
      fc.stringMatching(/^[0-9]{14}$/),
      fc.stringMatching(/^[0-9A-Z]{12}[0-9]{2}$/),
      mutated([...CNPJS, ...ALPHANUMERIC_CNPJS], [...DIGITS, 'A', 'B', 'C', 'X', 'Y', 'Z']),
    )
    fc.assert(
      fc.property(numbers, (number) => {
        expect(isCnpj(number)).toBe(isValidCnpj(number, { version: 2 }))
      }),
      { numRuns: 2000 },
    )
  })

  it('takes one pair of check digits for any twelve characters that differ', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), (base) => {
        fc.pre(new Set(base).size > 1)
        const pairs = Array.from({ length: 100 }, (_, pair) => String(pair).padStart(2, '0'))
        const valid = pairs.filter((pair) => isCnpj(base + pair))
        expect(valid).toHaveLength(1)
        expect(isValidCnpj(`${base}${valid.join('')}`, { version: 2 })).toBe(true)
      }),
    )
  })
})
