// BR Code: EMV QRCPS merchant-presented mode in the profile of the Banco Central (Manual de Padrões
// para Iniciação do Pix).
import { type MinorUnits, asciiSpelling, formatAmount, parseAmount } from '@cofre/contracts'
import type { PixBankCharge, PixReceiver } from './pix-bank.js'

/** The payment service provider's part of a PIX charge. */
export interface PixCharge {
  /** URL of the charge, without scheme, at most 77 characters. */
  readonly location: string
  readonly receiverName: string
  readonly receiverCity: string
}

/** A PIX charge whose terms are served at a URL: the dynamic BR Code. */
export interface DynamicPixCharge extends PixCharge {
  /** Banking apps show it until they have read the charge, whose own amount counts. */
  readonly amountMinor: MinorUnits
}

const GUI = 'br.gov.bcb.pix'
const ONE_USE = '12'
const NO_CATEGORY = '0000'
const BRL = '986'
const NAME_LENGTH_MAX = 25
/** For old accounts whose receivers have no ASCII letters: EMV allows no empty field. */
const NAMELESS = 'RECEBEDOR'
const CITYLESS = 'BRASIL'
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
    element('59', codeText(charge.receiverName, NAME_LENGTH_MAX) || NAMELESS),
    element('60', codeText(charge.receiverCity, CITY_LENGTH_MAX) || CITYLESS),
    element('62', element('05', '***')),
  ].join('')
  const unchecked = `${payload}6304`
  return unchecked + crc16(unchecked)
}

/** The charge that a code is compared with. */
type CodedCharge = Pick<PixBankCharge, 'amountMinor' | 'location' | 'code'>

/** The code that a payer is shown. */
export type PayerCode =
  | { readonly kind: 'bank' | 'composed'; readonly code: string }
  /** The bank's code contradicts the charge, which must not be shown. */
  | { readonly kind: 'contradiction'; readonly detail: string }

/** The limit of `payment-code` (specification, section 2.3). */
const CODE_LENGTH_MAX = 250
const ABSENT: PayerCode = { kind: 'contradiction', detail: 'there is neither code nor location' }

/**
 * The bank's code if it matches the charge. If the bank's code is missing, damaged or too long, the
 * code is composed from the charge's location. Further fields of a code are ignored.
 */
export function payerCode(charge: CodedCharge, receiver: PixReceiver): PayerCode {
  const code = charge.code?.trim() ?? ''
  const fields = intactFields(code)
  const detail = fields && contradictionOf(fields, charge)
  if (detail !== undefined) return { kind: 'contradiction', detail }
  if (fields !== undefined && code.length <= CODE_LENGTH_MAX) return { kind: 'bank', code }
  const location = bareLocation(charge.location ?? (fields && locationOf(fields)) ?? '')
  if (location === '' || location.length > LOCATION_LENGTH_MAX) return ABSENT
  const { name: receiverName, city: receiverCity } = receiver
  const { amountMinor } = charge
  return { kind: 'composed', code: pixCode({ location, receiverName, receiverCity, amountMinor }) }
}

type Fields = ReadonlyMap<string, string>

/** The fields of a code with a valid checksum. */
function intactFields(code: string): Fields | undefined {
  // Names may have accents: the checksum covers bytes.
  const covered = Buffer.from(code.slice(0, -4), 'utf8').toString('latin1')
  const isIntact = covered.endsWith('6304') && code.slice(-4).toUpperCase() === crc16(covered)
  return isIntact ? fieldsOf(code) : undefined
}

/** Two digits of id, two of length, the value. The first of equal ids counts. */
function fieldsOf(text: string): Fields | undefined {
  const fields = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const [, id, length] = /^(\d{2})(\d{2})$/.exec(text.slice(at, at + 4)) ?? []
    const end = at + 4 + Number(length)
    if (id === undefined || end > text.length) return undefined
    if (!fields.has(id)) fields.set(id, text.slice(at + 4, end))
    at = end
  }
  return fields
}

/** The location in the template of PIX, among those of other schemes (ids 26 to 51). */
function locationOf(fields: Fields): string | undefined {
  for (const [id, value] of fields) {
    if (id < '26' || id > '51') continue
    const account = fieldsOf(value)
    if (account?.get('00')?.toLowerCase() === GUI) return account.get('25')
  }
  return undefined
}

function contradictionOf(fields: Fields, charge: CodedCharge): string | undefined {
  const location = locationOf(fields)
  if (location === undefined) return 'the code names no location of PIX'
  if (charge.location !== undefined && bareLocation(location) !== bareLocation(charge.location))
    return 'the code names another location'
  if (fields.get('53') !== BRL) return 'the code is not in reais'
  const amount = fields.get('54')
  return amount !== undefined && parseAmount(amount) !== charge.amountMinor
    ? 'the code names another amount'
    : undefined
}

/** A location without the scheme, which the standard forbids; the host in lower case. */
function bareLocation(location: string): string {
  const [host = '', ...path] = location
    .trim()
    .replace(/^https:\/\//i, '')
    .split('/')
  return [host.toLowerCase(), ...path].join('/')
}

function element(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value
}

/**
 * A receiver's name or city as a code holds it: ASCII, without characters that have no spelling
 * there. Empty if nothing is left.
 */
export function codeText(text: string, lengthMax: number): string {
  const ascii = asciiSpelling(text).replaceAll(/[^\x20-\x7e]/g, '')
  return ascii.trim().slice(0, lengthMax).trim()
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
