import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import {
  type BoletoCodes,
  pixCode,
  barcodeOfLine,
  boletoBarcode,
  digitableLine,
} from '@cofre/provider-kit/bank'
import { checkCodes } from './checked-codes.js'

const ASKED = {
  amountMinor: minorUnits(12_345),
  dueDate: '2026-12-24',
  bankDueDate: '2026-12-24',
  receiver: { name: 'Loja Um', city: 'São Paulo' },
} as const
const SLIP = { bank: '077', freeField: '0001112345678901234567890', ...ASKED } as const
const barcodeOf = (over: Partial<typeof SLIP> | object = {}) => boletoBarcode({ ...SLIP, ...over })
const BARCODE = barcodeOf()
const LINE = digitableLine(BARCODE)
const LOCATION = 'pix.example.com/qr/v2/cobv/1'
const codeOf = (amount = 12_345, location = LOCATION) =>
  pixCode({
    location,
    amountMinor: minorUnits(amount),
    receiverName: 'Loja Um',
    receiverCity: 'Sao Paulo',
  })
const withDigit = (at: number, digit: string) =>
  BARCODE.slice(0, at) + digit + BARCODE.slice(at + 1)
const wrong = (digit = '0') => String((Number(digit) + 1) % 10)

describe('the codes of a boleto', () => {
  it.each<[string, BoletoCodes, object]>([
    ['barcode and line', { barcode: BARCODE, digitableLine: LINE }, {}],
    ['the barcode alone', { barcode: BARCODE }, {}],
    ['the line alone', { digitableLine: LINE }, {}],
    [
      'all three',
      { barcode: BARCODE, digitableLine: LINE, pixCode: codeOf() },
      { pixCode: codeOf() },
    ],
    ['a location of PIX', { barcode: BARCODE, pixLocation: LOCATION }, { pixCode: codeOf() }],
  ])('are shown when they ask for what was asked for: %s', (_, codes, more) => {
    expect(checkCodes(codes, ASKED)).toEqual({
      kind: 'held',
      codes: { barcode: BARCODE, digitableLine: LINE, ...more },
    })
  })

  it('may be a code of PIX alone, of a PIX with a due date', () => {
    expect(checkCodes({ pixCode: codeOf() }, ASKED)).toMatchObject({
      kind: 'held',
      codes: { barcode: undefined, digitableLine: undefined, pixCode: codeOf() },
    })
  })

  it.each([
    ['2026-12-23', 'contradiction'],
    ['2026-12-26', 'held'],
    ['2026-12-27', 'contradiction'],
    ['2026-12-28', 'held'],
    ['2027-12-26', 'contradiction'],
  ])(
    'of PIX alone are due when they were asked to be, or on the next business day: %s',
    (bankDueDate, kind) => {
      const asked = { ...ASKED, dueDate: '2026-12-26', bankDueDate }
      expect(checkCodes({ pixCode: codeOf() }, asked).kind).toBe(kind)
    },
  )

  it('name the day on either side of the day on which the due factor began again', () => {
    for (const dueDate of ['2025-02-21', '2025-02-22']) {
      const barcode = barcodeOf({ dueDate })
      expect(checkCodes({ barcode }, { ...ASKED, dueDate }).kind).toBe('held')
      const other = dueDate === '2025-02-21' ? '2025-02-22' : '2025-02-21'
      expect(checkCodes({ barcode }, { ...ASKED, dueDate: other }).kind).toBe('contradiction')
    }
  })

  it.each<[string, BoletoCodes]>([
    ['nothing to pay it with', {}],
    ['43 digits', { barcode: BARCODE.slice(1) }],
    ['45 digits', { barcode: `${BARCODE}0` }],
    ['letters', { barcode: `X${BARCODE.slice(1)}` }],
    ['another amount', { barcode: barcodeOf({ amountMinor: minorUnits(12_346) }) }],
    ['no amount', { barcode: barcodeOf({ amountMinor: minorUnits(0) }) }],
    ['another due date', { barcode: barcodeOf({ dueDate: '2026-12-25' }) }],
    ['another currency', { barcode: withDigit(3, '8') }],
    ['a wrong check digit', { barcode: withDigit(4, wrong(BARCODE[4])) }],
    ['a digit that was changed', { barcode: withDigit(30, wrong(BARCODE[30])) }],
    [
      'the line of another',
      { barcode: BARCODE, digitableLine: digitableLine(barcodeOf({ bank: '033' })) },
    ],
    [
      'a wrong check digit in the line',
      { digitableLine: LINE.slice(0, 9) + wrong(LINE[9]) + LINE.slice(10) },
    ],
    ['a line of 48 digits', { digitableLine: `${LINE}0` }],
    ['a printed line', { barcode: BARCODE, digitableLine: `${LINE.slice(0, 5)}.${LINE.slice(5)}` }],
    ['an empty line', { digitableLine: '' }],
    ['a PIX of another amount', { barcode: BARCODE, pixCode: codeOf(1) }],
    [
      'a PIX of another location',
      { barcode: BARCODE, pixCode: codeOf(12_345, 'thief.example/1'), pixLocation: LOCATION },
    ],
    ['a damaged PIX', { barcode: BARCODE, pixCode: `${codeOf().slice(0, -4)}0000` }],
  ])('contradict what was asked for: %s', (_, codes) => {
    expect(checkCodes(codes, ASKED)).toMatchObject({
      kind: 'contradiction',
      detail: expect.stringMatching(/\w/) as string,
    })
  })

  it('go back from the line to the barcode', () => {
    expect(barcodeOfLine(LINE)).toBe(BARCODE)
  })
})
