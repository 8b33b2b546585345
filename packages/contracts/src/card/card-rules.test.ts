import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brandOf } from './brand.js'
import {
  type CardDetails,
  isCardNumber,
  isExpiryAhead,
  passesLuhn,
  wrongCardFields,
} from './card-rules.js'

const NOW_MS = Date.UTC(2026, 10, 21, 15)
const GOOD_CARD: CardDetails = {
  number: '4111111111111111',
  cvv: '737',
  month: '03',
  year: '2030',
}

const isValidNumber = (number: string): boolean => isCardNumber(number, brandOf(number))

describe('passesLuhn', () => {
  it.each(['79927398713', '0', '18', '4111111111111111', '370000000000002', '36006666333344'])(
    'passes %s',
    (digits) => {
      expect(passesLuhn(digits)).toBe(true)
    },
  )

  it.each(['79927398710', '1', '81', '4111111111111112', '4024007153763191'])(
    'fails %s',
    (digits) => {
      expect(passesLuhn(digits)).toBe(false)
    },
  )

  const digitStrings = fc.stringMatching(/^[0-9]{1,19}$/)

  it('passes with exactly one check digit', () => {
    fc.assert(
      fc.property(digitStrings, (digits) => {
        const passing = Array.from({ length: 10 }, (_, check) => passesLuhn(`${digits}${check}`))
        expect(passing.filter(Boolean)).toHaveLength(1)
      }),
    )
  })

  it('notices any single wrong digit', () => {
    fc.assert(
      fc.property(digitStrings, fc.nat(18), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const place = at % digits.length
        const wrong = (Number(digits[place]) + by) % 10
        const mistyped = `${digits.slice(0, place)}${wrong}${digits.slice(place + 1)}`
        expect(passesLuhn(mistyped) && passesLuhn(digits)).toBe(false)
      }),
    )
  })
})

describe('isCardNumber', () => {
  it.each([
    ['4111111111111111', 'visa of 16'],
    ['4222222222222', 'visa of 13'],
    ['4111111111111111110', 'visa of 19'],
    ['5555444433331111', 'mastercard'],
    ['370000000000002', 'amex'],
    ['36006666333344', 'diners of 14'],
    ['3056930009020004', 'diners of 16'],
    ['5066991111111118', 'elo'],
    ['6062828888666688', 'hipercard'],
    ['6062828888666689', 'hipercard without a check digit'],
    ['3841001111222233334', 'hipercard of 19'],
    ['6011111111111117', 'discover, recognised though not accepted'],
    ['5078601870000127985', 'aura'],
  ])('takes %s: %s', (number) => {
    expect(isValidNumber(number)).toBe(true)
  })

  it.each([
    ['', 'empty'],
    ['4111111111111112', 'a wrong check digit'],
    ['411111111111111', 'a digit short'],
    ['41111111111111117', 'a digit long'],
    ['37000000000000', 'a digit short of amex'],
    ['3700000000000026', 'a digit more than amex'],
    ['60628288886666', 'hipercard too short'],
    ['5031433215406351', 'no brand'],
    ['0000000000000000', 'no brand'],
    ['4111 1111 1111 1111', 'spaces'],
    ['4111-1111-1111-1111', 'dashes'],
    ['4111111111111111\n', 'a line end'],
    ['411111111111111١', 'a digit of another script'],
    ['606282888866668x', 'a letter, where there is no check digit'],
  ])('refuses %j: %s', (number) => {
    expect(isValidNumber(number)).toBe(false)
  })
})

describe('isExpiryAhead', () => {
  it('takes a card until its month has ended everywhere on Earth, at UTC-12', () => {
    const endMs = Date.UTC(2030, 3, 1, 12)
    expect(isExpiryAhead('03', '2030', endMs - 1)).toBe(true)
    expect(isExpiryAhead('03', '2030', endMs)).toBe(false)
  })

  it('takes a card of December into the new year at UTC-12', () => {
    expect(isExpiryAhead('12', '2026', Date.UTC(2027, 0, 1, 11, 59))).toBe(true)
    expect(isExpiryAhead('12', '2026', Date.UTC(2027, 0, 1, 12))).toBe(false)
  })

  it.each([
    ['11', '2026', true],
    ['12', '2026', true],
    ['12', '2046', true],
    ['10', '2026', false],
    ['12', '2025', false],
    ['01', '2047', false],
    ['12', '9999', false],
    ['00', '2030', false],
    ['13', '2030', false],
    ['3', '2030', false],
    ['003', '2030', false],
    ['03', '30', false],
    ['03', '0030', false],
    ['03', '02030', false],
    ['', '', false],
    ['03\n', '2030', false],
    ['ab', 'cdef', false],
  ])('judges %j/%j, in November 2026, as %s', (month, year, ahead) => {
    expect(isExpiryAhead(month, year, NOW_MS)).toBe(ahead)
  })
})

describe('wrongCardFields', () => {
  it('finds nothing wrong with a good card', () => {
    expect(wrongCardFields(GOOD_CARD, NOW_MS)).toEqual([])
  })

  it.each<[Partial<CardDetails>, string[]]>([
    [{ number: '4111111111111112' }, ['number']],
    [{ number: '6062828888666689' }, []],
    [{ number: '' }, ['number']],
    [{ cvv: '' }, ['cvv']],
    [{ cvv: '73' }, ['cvv']],
    [{ cvv: '7373' }, ['cvv']],
    [{ cvv: '73a' }, ['cvv']],
    [{ cvv: '737\n' }, ['cvv']],
    [{ number: '370000000000002' }, ['cvv']],
    [{ number: '370000000000002', cvv: '7373' }, []],
    // For an unknown brand, either length may be right.
    [{ number: '5031433215406351' }, ['number']],
    [{ number: '5031433215406351', cvv: '7373' }, ['number']],
    [{ number: '5031433215406351', cvv: '73737' }, ['number', 'cvv']],
    [{ month: '13' }, ['month']],
    [{ month: '3' }, ['month']],
    [{ year: '30' }, ['year']],
    [{ year: '2047' }, ['year']],
    [{ month: '10', year: '2026' }, ['year']],
    [{ number: '4', cvv: '1', month: '00' }, ['number', 'cvv', 'month']],
    [{ number: '', cvv: '', year: '' }, ['number', 'cvv', 'year']],
  ])('names all that is wrong with %j: %j', (changes, wrong) => {
    expect(wrongCardFields({ ...GOOD_CARD, ...changes }, NOW_MS)).toEqual(wrong)
  })
})
