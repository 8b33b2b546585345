import { describe, expect, it } from 'vitest'
import { digitsOf } from './digits.js'
import { cvvDigits, formatTyped, formattedExpiry, groupedNumber, readExpiry } from './typed-text.js'

it.each([
  ['', ''],
  ['4', '4'],
  ['4111', '4111'],
  ['41111', '4111 1'],
  ['4111111111111111', '4111 1111 1111 1111'],
  ['4111-1111-1111-1111', '4111 1111 1111 1111'],
  ['  4111 1111 1111 1111 ', '4111 1111 1111 1111'],
  ['4111111111111111111', '4111 1111 1111 1111 111'],
  ['41111111111111111112345', '4111 1111 1111 1111 111'],
  ['378282246310005', '3782 822463 10005'],
  ['3782822', '3782 822'],
  ['30569309025904', '3056 930902 5904'],
  ['3056930902590412', '3056 9309 0259 0412'],
  ['４１１１１１', '4111 11'],
  ['card', ''],
])('the number %j is shown as %j', (typed, shown) => {
  expect(groupedNumber(typed)).toBe(shown)
})

it.each([
  ['', '', ''],
  ['1', '1', ''],
  ['12', '12', ''],
  ['12/', '12', ''],
  ['12/3', '12', '3'],
  ['12/30', '12', '30'],
  ['12 / 30', '12', '30'],
  ['12/2030', '12', '2030'],
  ['12-2030', '12', '2030'],
  ['1230', '12', '30'],
  ['122030', '12', '2030'],
  ['1/30', '1', '30'],
  ['1/2030', '1', '2030'],
  ['2030-12', '12', '2030'],
  ['2030/1', '1', '2030'],
  ['2030-12-31', '12', '2030'],
  ['203012', '12', '2030'],
  ['203001', '01', '2030'],
  ['012030', '01', '2030'],
  ['3012', '12', '30'],
  ['30/12', '12', '30'],
  ['13/3', '13', '3'],
  ['13/30', '13', '30'],
  ['1330', '13', '30'],
  ['1\u200b2/20\u200b30', '12', '2030'],
  ['\u200e203012', '12', '2030'],
  ['２０３０１２', '12', '2030'],
  ['930', '09', '30'],
  ['92030', '09', '2030'],
  ['5', '05', ''],
  ['１２／３０', '12', '30'],
  ['maio', '05', ''],
  ['m', '', ''],
  ['Maestro 12/30', '12', '30'],
  ['31/12/2030', '12', '2030'],
  ['12/31/2030', '12', '2030'],
  ['01/12/2030', '01', '12'],
  ['31-12-30', '31', '12'],
  ['12/30 123', '12', '30'],
  ['2030-12-31T00:00', '12', '2030'],
  ['Dec 2030', '12', '2030'],
  ['dezembro/30', '12', '30'],
  ['December,2030', '12', '2030'],
  ['2030-Fev', '02', '2030'],
  ['enero 2030', '01', '2030'],
])('the expiry %j is month %j and year %j', (typed, month, year) => {
  expect(readExpiry(typed)).toEqual({ month, year })
})

it.each([
  ['', ''],
  ['1', '1'],
  ['5', '05/'],
  ['12', '12/'],
  ['1/', '01/'],
  ['123', '12/3'],
  ['1230', '12/30'],
  ['12/2030', '12/2030'],
  ['122030', '12/2030'],
  ['2030-12', '12/2030'],
  ['203012', '12/2030'],
  ['1/30', '01/30'],
  ['\u200e1/30', '01/30'],
  ['Dez 2030', '12/2030'],
  ['31/12/2030', '12/2030'],
])('the expiry %j is shown as %j', (typed, shown) => {
  expect(formattedExpiry(typed)).toBe(shown)
})

it.each([
  ['737', '737'],
  ['73 7', '737'],
  ['73911', '7391'],
  ['abc', ''],
])('the code %j is shown as %j', (typed, shown) => {
  expect(cvvDigits(typed)).toBe(shown)
})

describe('the caret', () => {
  type Format = (text: string, hasRecovered: boolean) => string
  const key = (shown: string, at: number, digit: string, format: Format) =>
    formatTyped(
      { text: shown.slice(0, at) + digit + shown.slice(at), caret: at + 1 },
      format,
      'insertText',
    )
  const backspace = (shown: string, at: number, format: Format) =>
    formatTyped(
      { text: shown.slice(0, at - 1) + shown.slice(at), caret: at - 1 },
      format,
      'deleteContentBackward',
    )
  const deleteKey = (shown: string, at: number) =>
    formatTyped(
      { text: shown.slice(0, at) + shown.slice(at + 1), caret: at },
      groupedNumber,
      'deleteContentForward',
    )

  it('stays at the end of what is typed there', () => {
    let text = ''
    for (const digit of '4111111111111111') {
      const typed = key(text, text.length, digit, groupedNumber)
      expect(typed.caret).toBe(typed.text.length)
      text = typed.text
    }
    expect(text).toBe('4111 1111 1111 1111')
  })

  it('stays behind a digit that is typed in the middle', () => {
    expect(key('4111 1111', 2, '9', groupedNumber)).toEqual({ text: '4191 1111 1', caret: 3 })
    expect(key('4111 1111', 4, '9', groupedNumber)).toEqual({ text: '4111 9111 1', caret: 6 })
  })

  it('goes before a space that is erased, and takes the digit next time', () => {
    const first = backspace('4111 1111', 5, groupedNumber)
    expect(first).toEqual({ text: '4111 1111', caret: 4 })
    expect(backspace(first.text, first.caret, groupedNumber)).toEqual({
      text: '4111 111',
      caret: 3,
    })
  })

  it('goes over a space that the Delete key erases, and takes the digit next time', () => {
    const first = deleteKey('4111 2222', 4)
    expect(first).toEqual({ text: '4111 2222', caret: 5 })
    expect(deleteKey(first.text, first.caret)).toEqual({ text: '4111 222', caret: 5 })
  })

  it('keeps its place while a month before its year is corrected', () => {
    const erased = backspace('12/30', 2, formattedExpiry)
    expect(erased).toEqual({ text: '1/30', caret: 1 })
    expect(key(erased.text, erased.caret, '1', formattedExpiry)).toEqual({
      text: '11/30',
      caret: 2,
    })
    const anew = key('/30', 0, '0', formattedExpiry)
    expect(key(anew.text, anew.caret, '9', formattedExpiry)).toEqual({ text: '09/30', caret: 2 })
  })

  it('lets an expiry be erased to its beginning', () => {
    let typed = { text: '12/3', caret: 4 }
    const seen: string[] = []
    for (let i = 0; i < 4 && typed.text !== ''; i++) {
      typed = backspace(typed.text, typed.text.length, formattedExpiry)
      seen.push(typed.text)
    }
    expect(seen).toEqual(['12', '1', ''])
  })
})

it('every digit of a text is found, and nothing else', () => {
  expect(digitsOf(' 4a1-1１ ')).toBe('4111')
})
