import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VISA } from '../test/cards.js'
import { readCard, wrongFields } from './card-input.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) })
})
afterEach(() => {
  vi.useRealTimers()
})

const withExpiry = (month: unknown, year: unknown): object => ({
  ...VISA,
  expiration: { month, year },
})

describe('readCard', () => {
  it.each([
    ['spaces', { ...VISA, creditCard: ' 4111 1111 1111 1111 ' }],
    ['dashes', { ...VISA, creditCard: '4111-1111-1111-1111' }],
    ['numbers', { creditCard: 4111111111111111, cvv: 123, expiration: { month: 12, year: 2040 } }],
    ['a year of two digits', withExpiry('12', '40')],
    ['spaces around the CVV and the date', { ...withExpiry(' 12', '2040 '), cvv: ' 123 ' }],
    ['properties of its own', { ...VISA, holder: 'ANA' }],
    ['en dashes', { ...VISA, creditCard: '4111–1111–1111–1111' }],
    ['dashes that do not break', { ...VISA, creditCard: '4111‑1111‑1111‑1111' }],
    ['minus signs', { ...VISA, creditCard: '4111−1111−1111−1111' }],
    ['dots', { ...VISA, creditCard: '4111.1111.1111.1111' }],
    ['a mark of direction', { ...VISA, creditCard: '\u200e4111 1111 1111 1111\u202c' }],
    ['spaces of no width', { ...VISA, creditCard: '4111\u200b1111\u20601111\ufeff1111' }],
    ['spaces of other widths', { ...VISA, creditCard: '4111\u00a01111\u20091111\u30001111' }],
    [
      'full-width digits',
      {
        creditCard: '４１１１１１１１１１１１１１１１',
        cvv: '１２３',
        expiration: { month: '１２', year: '２０４０' },
      },
    ],
    [
      'a mark of direction in every field',
      {
        creditCard: VISA.creditCard,
        cvv: '\u200e123',
        expiration: { month: '\u200e12', year: '2040\u200f' },
      },
    ],
  ])('takes a card with %s', (_name, card) => {
    expect(readCard(card)).toEqual({
      number: '4111111111111111',
      cvv: '123',
      month: '12',
      year: '2040',
    })
  })

  it('takes a month of one digit', () => {
    expect(readCard(withExpiry('3', 2031))).toMatchObject({ month: '03', year: '2031' })
  })

  it.each([undefined, null, 'card', 4111111111111111, true])('calls %j malformed', (card) => {
    expect(() => readCard(card)).toThrow('creditcard_object_malformed')
  })

  it.each([
    ['nothing', {}],
    ['a list', []],
    ['no number', { ...VISA, creditCard: undefined }],
    ['a number that is no text', { ...VISA, creditCard: ['4111111111111111'] }],
    ['no CVV', { ...VISA, cvv: null }],
    ['no expiration', { ...VISA, expiration: undefined }],
    ['an expiration that is no object', { ...VISA, expiration: '12/2040' }],
    ['no month', withExpiry(undefined, '2040')],
    ['no year', withExpiry('12', undefined)],
  ])('calls an object with %s invalid', (_name, card) => {
    expect(() => readCard(card)).toThrow('creditcard_invalid_object')
  })

  it.each([
    ['a wrong check digit', { ...VISA, creditCard: '4111111111111112' }, ['number']],
    ['an unknown brand', { ...VISA, creditCard: '9111111111111111' }, ['number']],
    ['an empty number', { ...VISA, creditCard: '' }, ['number']],
    ['letters in the number', { ...VISA, creditCard: '4111 1111 1111 111O' }, ['number']],
    ['a CVV of four digits', { ...VISA, cvv: '1234' }, ['cvv']],
    ['a CVV of letters', { ...VISA, cvv: '12a' }, ['cvv']],
    ['a CVV of three digits on an Amex', { ...VISA, creditCard: '378282246310005' }, ['cvv']],
    ['month 13', withExpiry('13', '2040'), ['month']],
    ['month 0', withExpiry('0', '2040'), ['month']],
    ['an empty month', withExpiry('', '2040'), ['month']],
    ['last month', withExpiry('10', '2026'), ['year']],
    ['a year of three digits', withExpiry('12', '204'), ['year']],
    ['a year too far ahead', withExpiry('12', '2047'), ['year']],
    [
      'all of it wrong',
      { creditCard: '1', cvv: '1', expiration: { month: '99', year: '2020' } },
      ['number', 'cvv', 'month', 'year'],
    ],
  ])('names every wrong field of a card with %s', (_name, card, fields) => {
    expect(() => readCard(card)).toThrow(
      expect.objectContaining({ code: 'creditcard_invalid_fields', fields }),
    )
  })

  it('takes a card to the last moment of its month, anywhere on Earth', () => {
    vi.setSystemTime(Date.UTC(2026, 11, 1, 11, 59))
    expect(wrongFields(withExpiry('11', '26'))).toEqual([])
    vi.setSystemTime(Date.UTC(2026, 11, 1, 12))
    expect(wrongFields(withExpiry('11', '26'))).toEqual(['year'])
  })
})

describe('wrongFields', () => {
  it.each([undefined, null, 'card', {}, { expiration: null }])(
    'counts what %j lacks as wrong',
    (card) => {
      expect(wrongFields(card)).toEqual(['number', 'cvv', 'month', 'year'])
    },
  )

  it('finds nothing wrong with a good card', () => {
    expect(wrongFields(VISA)).toEqual([])
  })
})
