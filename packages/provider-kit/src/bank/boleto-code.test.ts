import { getBoletoInfo, isValidBoleto } from '@brazilian-utils/brazilian-utils'
import { minorUnits } from '@cofre/contracts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boletoBarcode,
  digitableLine,
  dueFactor,
  printedLine,
  santanderFreeField,
} from './boleto-code.js'

/** The library returns dates in local time. */
function localDay(date: Date | null | undefined): string | undefined {
  return date?.toLocaleDateString('sv-SE')
}

describe('digitableLine', () => {
  // Pairs of the brcobranca project's specs, and of brutils.
  it.each([
    [
      '00193376900000135000000001238798977770016818',
      '00190.00009 01238.798977 77700.168188 3 37690000013500',
    ],
    [
      '34191432900000000001751234567840810536789000',
      '34191.75124 34567.840813 05367.890000 1 43290000000000',
    ],
    [
      '23795422300002952951172060007589645204030050',
      '23791.17209 60007.589645 52040.300502 5 42230000295295',
    ],
    [
      '03399511500000025009189977500000900002690102',
      '03399.18997 77500.000904 00026.901025 9 51150000002500',
    ],
    [
      '42296100100000180847004000002782472617300112',
      '42297.00408 00002.782472 26173.001129 6 10010000018084',
    ],
  ])('prints %s as %s', (barcode, line) => {
    expect(printedLine(digitableLine(barcode))).toBe(line)
  })

  it('has 47 digits', () => {
    expect(digitableLine('00196758600001026560000001149718606852452211')).toBe(
      '00190000090114971860168524522114675860000102656',
    )
  })
})

describe('boletoBarcode', () => {
  const slip = (ourNumber: string) => santanderFreeField({ beneficiary: '1234567', ourNumber })

  it('is the computed reference', () => {
    const barcode = boletoBarcode({
      bank: '033',
      dueDate: '2026-12-21',
      amountMinor: minorUnits(12_345),
      freeField: slip('1'),
    })
    expect(barcode.length).toBe(44)
    expect(barcode.slice(5, 19)).toBe('16670000012345')
    expect(barcode.slice(0, 4)).toBe('0339')
  })

  it.each([
    ['03391166700000123459123456700000000000190101', '2026-12-21', 12_345],
    ['03398999900000000019123456700000000000270101', '2025-02-21', 1],
    ['03391100000000001009123456700000000000270101', '2025-02-22', 100],
    ['03391166700000000079123456700000000000190101', '2026-12-21', 7],
    ['03391166700000000039123456700000000000190101', '2026-12-21', 3],
  ])('computes %s', (barcode, dueDate, cents) => {
    const freeField = barcode.slice(19)
    expect(boletoBarcode({ bank: '033', dueDate, amountMinor: minorUnits(cents), freeField })).toBe(
      barcode,
    )
  })

  it('makes lines that an independent library reads back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999_999 }),
        fc.integer({ min: 0, max: 999_999_999_999 }),
        fc.integer({ min: 0, max: 2000 }),
        (cents, number, days) => {
          const dueDate = new Date(Date.UTC(2025, 1, 22) + days * 86_400_000)
            .toISOString()
            .slice(0, 10)
          const line = digitableLine(
            boletoBarcode({
              bank: '033',
              dueDate,
              amountMinor: minorUnits(cents),
              freeField: slip(String(number)),
            }),
          )
          expect(isValidBoleto(line)).toBe(true)
          const info = getBoletoInfo(line, { referenceDate: new Date('2027-06-01') })
          expect(info?.amount).toBe(cents)
          expect(localDay(info?.expirationDate)).toBe(dueDate)
        },
      ),
    )
  })

  it.each([
    ['a bank of two digits', { bank: '33' }],
    ['a free field of 24 digits', { freeField: '1'.repeat(24) }],
    ['an amount of eleven digits', { amountMinor: minorUnits(10_000_000_000) }],
    ['a due date before the factors', { dueDate: '2000-07-02' }],
    ['a due date that is none', { dueDate: 'soon' }],
  ])('refuses %s', (_, wrong) => {
    const fields = {
      bank: '033',
      dueDate: '2026-12-21',
      amountMinor: minorUnits(1),
      freeField: slip('1'),
    }
    expect(() => boletoBarcode({ ...fields, ...wrong })).toThrow(RangeError)
  })
})

describe('dueFactor', () => {
  it.each([
    ['2000-07-03', '1000'],
    ['2025-02-21', '9999'],
    ['2025-02-22', '1000'],
    ['2049-10-13', '9999'],
    ['2049-10-14', '1000'],
  ])('of %s is %s', (date, factor) => {
    expect(dueFactor(date)).toBe(factor)
  })
})
