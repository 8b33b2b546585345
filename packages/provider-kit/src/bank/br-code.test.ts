import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { crc16, payerCode, pixCode } from './br-code.js'

const charge = {
  location: 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441',
  receiverName: 'Fulano de Tal',
  receiverCity: 'BRASILIA',
  amountMinor: minorUnits(12_345),
}

describe('crc16', () => {
  it('gives the check value of CRC-16/CCITT-FALSE', () => {
    expect(crc16('123456789')).toBe('29B1')
  })

  it('has four digits, also where the first is zero', () => {
    expect(crc16('J')).toBe('087E')
  })

  it('checks the example of the Banco Central', () => {
    const example =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000' +
      '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304'
    expect(crc16(example)).toBe('1D3D')
  })
})

describe('pixCode', () => {
  it('is the code of two independent implementations, with the amount', () => {
    const code = pixCode(charge)
    expect(code.slice(0, -4)).toBe(
      '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd441' +
        '520400005303986' +
        '5406123.45' +
        '5802BR5913Fulano de Tal6008BRASILIA62070503***6304',
    )
    expect(isValidPixPayload(code)).toBe(true)
    expect(getPixPayloadInfo(code)).toMatchObject({
      merchantName: 'Fulano de Tal',
      merchantCity: 'BRASILIA',
    })
  })

  it('folds accents and cuts names to the format’s limits', () => {
    const code = pixCode({
      ...charge,
      receiverName: 'Padaria e Confeitaria São João Ltda',
      receiverCity: 'São José do Rio Preto',
    })
    expect(code).toContain('5925Padaria e Confeitaria Sao')
    expect(code).toContain('6015Sao Jose do Rio')
    expect(isValidPixPayload(code)).toBe(true)
  })

  it.each([
    ['Łukasz Østergård', '5916Lukasz Ostergard'],
    ['Sean O’Connor ™', "5916Sean O'Connor TM"],
    ['東京ストア', '5909RECEBEDOR'],
    ['–', '5901-'],
    ['—東—', '5902--'],
  ])('writes the receiver %s in ASCII, and never nothing', (receiverName, field) => {
    const code = pixCode({ ...charge, receiverName, receiverCity: '東京' })
    expect(code).toContain(`${field}6006BRASIL`)
    expect(isValidPixPayload(code)).toBe(true)
  })

  it('stays within 250 characters', () => {
    const longest = {
      ...charge,
      location: 'x'.repeat(77),
      receiverName: 'n'.repeat(40),
      receiverCity: 'c'.repeat(40),
    }
    expect(pixCode({ ...longest, amountMinor: minorUnits(1_000_000) }).length).toBeLessThanOrEqual(
      250,
    )
  })

  it('refuses a location that does not fit', () => {
    expect(() => pixCode({ ...charge, location: 'x'.repeat(78) })).toThrow(RangeError)
  })
})

describe('the code that a payer is shown', () => {
  const receiver = { name: 'Fulano de Tal', city: 'BRASILIA' }
  const bankCharge = {
    state: 'open',
    amountMinor: charge.amountMinor,
    location: charge.location,
    payments: [],
  } as const
  const own = pixCode(charge)
  /** A bank's code, with its checksum. */
  const sealed = (body: string): string => {
    const covered = `${body}6304`
    return covered + crc16(Buffer.from(covered, 'utf8').toString('latin1'))
  }
  const body = own.slice(0, -8)

  it.each([
    ['as it is', own],
    ['with further fields', sealed(`${body}8007x12345y`)],
    ['without an amount', sealed(body.replace('5406123.45', ''))],
    ['with an accent in a name', sealed(body.replace('5913Fulano de Tal', '5913Fulano de Tál'))],
    [
      'with the account of another scheme before it',
      sealed(body.replace('2670', '26080004abcd2770')),
    ],
    ['with the host in capitals', sealed(body.replace('pix.example.com', 'PIX.Example.com'))],
  ])("is the bank's, %s", (_, code) => {
    expect(payerCode({ ...bankCharge, code }, receiver)).toEqual({ kind: 'bank', code })
  })

  it.each([
    ['the bank gives none', undefined],
    ['the checksum is wrong', own.replace(/.{4}$/, '0000')],
    ['it is cut', own.slice(0, 60)],
    ['it is too long for the API', sealed(`${body}8099${'x'.repeat(99)}8199${'x'.repeat(99)}`)],
  ])('is composed when %s', (_, code) => {
    expect(payerCode({ ...bankCharge, code }, receiver)).toEqual({ kind: 'composed', code: own })
  })

  it.each([
    ['another location', sealed(body.replace('8b3da2f3', '00000000')), 'another location'],
    ['another currency', sealed(body.replace('5303986', '5303840')), 'not in reais'],
    ['another amount', sealed(body.replace('123.45', '999.99')), 'another amount'],
    ['no PIX account', sealed(body.replace('br.gov.bcb.pix', 'br.gov.bcb.xxx')), 'no location'],
  ])("does not exist when the bank's names %s", (_, code, detail) => {
    const shown = payerCode({ ...bankCharge, code }, receiver)
    expect(shown).toMatchObject({
      kind: 'contradiction',
      detail: expect.stringContaining(detail) as string,
    })
  })

  it('does not exist without code and location', () => {
    const shown = payerCode({ ...bankCharge, location: undefined }, receiver)
    expect(shown.kind).toBe('contradiction')
  })
})
