import { isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { crc16, payerCode } from './br-code.js'

type CheckedCharge = Parameters<typeof payerCode>[0]

const receiver = { name: 'Loja Exemplo', city: 'São Paulo' }
const LOCATION = 'pix.example.com/qr/v2/2353c790eefb11eaadc10242ac120002'
const field = (id: string, value: string): string =>
  id + String(value.length).padStart(2, '0') + value

/** A code in the banks' format: any number of fields, and a checksum over bytes. */
function codeOf(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const fields: Record<string, string | undefined> = {
    '00': '01',
    '26': field('00', 'br.gov.bcb.pix') + field('25', LOCATION),
    '52': '0000',
    '53': '986',
    '54': '129.90',
    '58': 'BR',
    '59': 'Loja Exemplo',
    '60': 'Sao Paulo',
    '62': field('05', '***'),
    ...changes,
  }
  const text = Object.entries(fields)
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([id, value]) => (value === undefined ? [] : [field(id, value)]))
    .join('')
  const covered = `${text}6304`
  return covered + crc16(Buffer.from(covered, 'utf8').toString('latin1'))
}

const charge = (changes: Partial<CheckedCharge> = {}): CheckedCharge => ({
  amountMinor: minorUnits(12_990),
  location: LOCATION,
  code: codeOf(),
  ...changes,
})
const kindOf = (changes: Partial<CheckedCharge>): string =>
  payerCode(charge(changes), receiver).kind

describe('a bank’s code', () => {
  it('is one that an independent reader accepts', () => {
    expect(isValidPixPayload(codeOf())).toBe(true)
  })

  it.each([
    ['as it is', {}],
    ['without an amount', { '54': undefined }],
    ['with an amount of one decimal', { '54': '129.9' }],
    [
      'with the scheme in capitals',
      { '26': field('00', 'BR.GOV.BCB.PIX') + field('25', LOCATION) },
    ],
    [
      'with the host in capitals',
      { '26': field('00', 'br.gov.bcb.pix') + field('25', LOCATION.replace('pix', 'PIX')) },
    ],
    [
      'with another scheme before it',
      {
        '26': field('00', 'com.other') + field('25', 'x'),
        '27': field('00', 'br.gov.bcb.pix') + field('25', LOCATION),
      },
    ],
    ['with further fields', { '01': '12', '80': field('00', 'br.com.bank') + field('01', 'x') }],
    ['with accents', { '59': 'Padaria São João' }],
  ])('is shown %s', (_, changes) => {
    const code = codeOf(changes)
    expect(payerCode(charge({ code }), receiver)).toEqual({ kind: 'bank', code })
  })

  it('is shown when the charge names no location', () => {
    expect(kindOf({ location: undefined })).toBe('bank')
  })

  it.each([
    [
      'names another location',
      { '26': field('00', 'br.gov.bcb.pix') + field('25', 'evil.example/x') },
    ],
    [
      'names a key instead of a location',
      { '26': field('00', 'br.gov.bcb.pix') + field('01', 'a@b.c') },
    ],
    ['is of another scheme', { '26': field('00', 'com.other') + field('25', LOCATION) }],
    ['is in dollars', { '53': '840' }],
    ['names no currency', { '53': undefined }],
    ['names another amount', { '54': '1.00' }],
    ['names no number as amount', { '54': 'R$ 1' }],
  ])('contradicts the charge when it %s', (_, changes) => {
    expect(kindOf({ code: codeOf(changes) })).toBe('contradiction')
  })

  it('contradicts the charge also when it is too long to be shown', () => {
    const long = {
      '26': field('00', 'br.gov.bcb.pix') + field('25', 'evil.example/x'),
      '80': 'x'.repeat(99),
      '81': 'x'.repeat(99),
    }
    expect(kindOf({ code: codeOf(long) })).toBe('contradiction')
  })

  it.each([
    ['absent', undefined],
    ['empty', ' '],
    ['longer than 250', codeOf({ '80': 'x'.repeat(99), '81': 'x'.repeat(30) })],
    ['damaged', codeOf().replace('Loja', 'Lola')],
    ['cut', codeOf().slice(0, -8)],
    ['no code', 'https://pix.example.com'],
  ])('that is %s is composed from the location', (_, bankCode) => {
    const composed = payerCode(charge({ code: bankCode }), receiver)
    const code = composed.kind === 'composed' ? composed.code : ''
    expect(code).toContain(LOCATION)
    expect(code.length).toBeLessThanOrEqual(250)
    expect(isValidPixPayload(code)).toBe(true)
  })

  it('is missing when there is no location either', () => {
    expect(kindOf({ code: undefined, location: undefined })).toBe('contradiction')
    expect(kindOf({ code: 'damaged', location: '' })).toBe('contradiction')
  })
})
