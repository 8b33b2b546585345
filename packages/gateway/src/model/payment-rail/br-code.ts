// BR Code: EMV QRCPS merchant-presented mode in the profile of the Banco Central (Manual de Padrões
// para Iniciação do Pix).
import { type MinorUnits, formatAmount } from '@cofre/contracts'
import type { PixCharge } from './payment-rails.js'

/** A PIX charge whose terms live behind a URL: the dynamic BR Code. */
export interface DynamicPixCharge extends PixCharge {
  /** Shown by banking apps until they have read the charge; the charge's own amount counts. */
  readonly amountMinor: MinorUnits
}

const GUI = 'br.gov.bcb.pix'
const ONE_USE = '12'
const NO_CATEGORY = '0000'
const BRL = '986'
const NAME_LENGTH_MAX = 25
const CITY_LENGTH_MAX = 15
const LOCATION_LENGTH_MAX = 77

/**
 * The copy-and-paste code of a charge that can be paid once. @throws RangeError when the location
 * does not fit
 */
export function pixCode(charge: DynamicPixCharge): string {
  if (charge.location.length > LOCATION_LENGTH_MAX)
    throw new RangeError('a PIX location has at most 77 characters')
  const account = element('00', GUI) + element('25', charge.location)
  const payload = [
    element('00', '01'),
    element('01', ONE_USE),
    element('26', account),
    element('52', NO_CATEGORY),
    element('53', BRL),
    element('54', formatAmount(charge.amountMinor)),
    element('58', 'BR'),
    element('59', foldToAscii(charge.receiverName).slice(0, NAME_LENGTH_MAX).trim()),
    element('60', foldToAscii(charge.receiverCity).slice(0, CITY_LENGTH_MAX).trim()),
    element('62', element('05', '***')),
  ].join('')
  const unchecked = `${payload}6304`
  return unchecked + crc16(unchecked)
}

function element(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value
}

/**
 * Receivers' names keep their letters and lose their accents; what has no ASCII letter is dropped.
 */
function foldToAscii(text: string): string {
  return text.normalize('NFD').replaceAll(/[^\x20-\x7e]/g, '')
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF; four upper-case hex digits. */
export function crc16(ascii: string): string {
  let crc = 0xffff
  for (let i = 0; i < ascii.length; i++) {
    crc ^= ascii.charCodeAt(i) << 8
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    }
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
