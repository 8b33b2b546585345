import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils'
import { minorUnits } from '@cofre/contracts'
import { describe, expect, it } from 'vitest'
import { crc16, pixCode } from './br-code.js'

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

  it('folds accents and cuts names to what the format holds', () => {
    const code = pixCode({
      ...charge,
      receiverName: 'Padaria e Confeitaria São João Ltda',
      receiverCity: 'São José do Rio Preto',
    })
    expect(code).toContain('5925Padaria e Confeitaria Sao')
    expect(code).toContain('6015Sao Jose do Rio')
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
