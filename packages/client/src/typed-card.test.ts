import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cardOf, isRefusedBrand, shownOf, statesOf } from './typed-card.js'

const NOTHING = { number: '', expiry: '', cvv: '' }
const VISA = { number: '4111 1111 1111 1111', expiry: '12/30', cvv: '737' }

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 25), toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('a card is what the library takes', () => {
  expect(cardOf(VISA)).toEqual({
    creditCard: '4111111111111111',
    cvv: '737',
    expiration: { month: '12', year: '30' },
  })
})

describe('a field', () => {
  it.each([
    ['number', '', 'empty'],
    ['number', '   ', 'empty'],
    ['number', '4', 'incomplete'],
    ['number', '4111 1111 1111 111', 'incomplete'],
    ['number', '4111 1111 1111 1111', 'valid'],
    ['number', '4111-1111-1111-1111', 'valid'],
    ['number', '4111 1111 1111 1112', 'invalid'],
    ['number', '3782 822463 10005', 'valid'],
    ['number', '3782 822463 10006', 'invalid'],
    ['number', '3056 930902 5904', 'valid'],
    ['number', '6062 8267 8627 6634', 'valid'],
    ['number', '9', 'incomplete'],
    ['number', '9999 9999 9999 9999 999', 'invalid'],
    // A brand that no acquirer here accepts.
    ['number', '6011 1111 1111 1117', 'invalid'],
    ['number', '6011', 'invalid'],
    ['expiry', '', 'empty'],
    ['expiry', '1', 'incomplete'],
    ['expiry', '12/', 'incomplete'],
    ['expiry', '12/3', 'incomplete'],
    ['expiry', '12/30', 'valid'],
    ['expiry', '1230', 'valid'],
    ['expiry', '12/2030', 'valid'],
    ['expiry', '2030-12', 'valid'],
    ['expiry', '11/26', 'valid'],
    ['expiry', '10/26', 'invalid'],
    ['expiry', '13/30', 'invalid'],
    ['expiry', '00/30', 'invalid'],
    ['expiry', '12/99', 'invalid'],
    ['cvv', '', 'empty'],
    ['cvv', '73', 'incomplete'],
    ['cvv', '737', 'valid'],
    ['cvv', '7373', 'invalid'],
  ] as const)('%s %j is %s', (field, text, state) => {
    expect(statesOf({ ...VISA, [field]: text })[field]).toBe(state)
  })

  it('has four digits for the code of an Amex', () => {
    const amex = { ...VISA, number: '3782 822463 10005' }
    expect(statesOf({ ...amex, cvv: '739' }).cvv).toBe('incomplete')
    expect(statesOf({ ...amex, cvv: '7391' }).cvv).toBe('valid')
  })

  it('is empty where nothing is typed', () => {
    expect(statesOf(NOTHING)).toEqual({ number: 'empty', expiry: 'empty', cvv: 'empty' })
  })
})

describe('what the page may know of a number', () => {
  it.each([
    ['', false, null, null],
    ['4', false, 'visa', null],
    ['4111 1111 1111 1111', false, 'visa', null],
    ['4111 1', true, 'visa', null],
    ['4111 11', true, 'visa', '411111'],
    ['4111 1111 1111 1111', true, 'visa', '411111'],
    ['9999 99', true, null, '999999'],
  ])('%j, with the BIN %s: %s %s', (number, showsBin, brand, bin) => {
    expect(shownOf(number, showsBin)).toEqual({ brand, bin })
  })
})

it.each([
  ['6011', true],
  ['3528', true],
  ['4111', false],
  ['', false],
])('that %j is refused by its brand: %s', (number, isRefused) => {
  expect(isRefusedBrand(number)).toBe(isRefused)
})
