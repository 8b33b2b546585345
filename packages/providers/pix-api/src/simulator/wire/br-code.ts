// Pix Copia e Cola of a dynamic charge: EMV QRCPS in the profile of the Banco Central.
import { type MinorUnits, formatAmount } from '@cofre/contracts'

const NAME_LENGTH_MAX = 25
const CITY_LENGTH_MAX = 15
const CRC_FIELD = '6304'

interface PrintedCharge {
  /** Without `https://`. */
  readonly location: string
  /** Absent if the day of the payment decides. */
  readonly amountMinor?: MinorUnits | undefined
  readonly receiver: { readonly name: string; readonly city: string }
}

export function copyAndPaste({ location, amountMinor, receiver }: PrintedCharge): string {
  const unchecked = [
    field('00', '01'),
    field('01', '12'),
    field('26', field('00', 'br.gov.bcb.pix') + field('25', location)),
    field('52', '0000'),
    field('53', '986'),
    amountMinor === undefined ? '' : field('54', formatAmount(amountMinor)),
    field('58', 'BR'),
    field('59', ascii(receiver.name, NAME_LENGTH_MAX)),
    field('60', ascii(receiver.city, CITY_LENGTH_MAX)),
    field('62', field('05', '***')),
    CRC_FIELD,
  ].join('')
  return unchecked + crc(unchecked)
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value
}

function ascii(text: string, lengthMax: number): string {
  const plain = text.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '')
  return plain.slice(0, lengthMax).trim()
}

/** CRC-16/CCITT-FALSE as four hex digits. */
export function crc(text: string): string {
  const sum = Buffer.from(text).reduce((before, byte) => {
    let register = before ^ (byte << 8)
    for (let bit = 0; bit < 8; bit++)
      register = (register & 0x8000) === 0 ? register << 1 : (register << 1) ^ 0x1021
    return register & 0xffff
  }, 0xffff)
  return sum.toString(16).toUpperCase().padStart(4, '0')
}
