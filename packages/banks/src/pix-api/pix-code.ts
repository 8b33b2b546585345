import { type MinorUnits, parseAmount } from '@cofre/contracts'

/** The BR Code's format, which the gateway owns (`model/payment-rail/br-code.ts`). */
export interface BrCodeFormat {
  /** CRC-16/CCITT-FALSE of a text of single bytes, as four hex digits. */
  crc16(text: string): string
  pixCode(charge: {
    readonly location: string
    readonly receiverName: string
    readonly receiverCity: string
    readonly amountMinor: MinorUnits
  }): string
}

export interface CheckedCharge {
  readonly amountMinor: MinorUnits
  readonly location: string | undefined
  readonly bankCode: string | undefined
}

export interface Receiver {
  readonly name: string
  readonly city: string
}

/** What the payer is shown. */
export type PayerCode =
  | { readonly kind: 'bank' | 'composed'; readonly code: string }
  /** The bank's code asks for something else: the charge must not be shown. */
  | { readonly kind: 'contradicts'; readonly detail: string }
  /** There is neither a code nor a location. */
  | { readonly kind: 'missing' }

/** What `payment-code` holds (specification). */
const CODE_LENGTH_MAX = 250
const GUI = 'br.gov.bcb.pix'
const BRL = '986'

/**
 * The bank's code when it asks for what the charge says; composed from the charge's location when
 * the bank gives none, or one that is too long or damaged. Further fields of a code pass.
 */
export function payerCode(
  charge: CheckedCharge,
  receiver: Receiver,
  format: BrCodeFormat,
): PayerCode {
  const code = charge.bankCode?.trim() ?? ''
  const fields = code === '' ? undefined : intactFields(code, format)
  const detail = fields === undefined ? undefined : contradiction(fields, charge)
  if (detail !== undefined) return { kind: 'contradicts', detail }
  if (fields !== undefined && code.length <= CODE_LENGTH_MAX) return { kind: 'bank', code }
  const location = bare(charge.location ?? (fields && locationOf(fields)) ?? '')
  if (location === '') return { kind: 'missing' }
  const { name: receiverName, city: receiverCity } = receiver
  const { amountMinor } = charge
  return {
    kind: 'composed',
    code: format.pixCode({ location, receiverName, receiverCity, amountMinor }),
  }
}

type Fields = ReadonlyMap<string, string>

/** The fields of a code whose checksum holds. */
function intactFields(code: string, format: BrCodeFormat): Fields | undefined {
  const covered = code.slice(0, -4)
  // Names may have accents: the checksum covers bytes.
  const sum = format.crc16(Buffer.from(covered, 'utf8').toString('latin1'))
  if (!covered.endsWith('6304') || code.slice(-4).toUpperCase() !== sum) return undefined
  return fieldsOf(code)
}

/** Two digits of id, two of length, the value. The first of equal ids counts. */
function fieldsOf(text: string): Fields | undefined {
  const fields = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const head = /^(\d{2})(\d{2})$/.exec(text.slice(at, at + 4))
    const end = at + 4 + Number(head?.[2])
    if (head?.[1] === undefined || end > text.length) return undefined
    if (!fields.has(head[1])) fields.set(head[1], text.slice(at + 4, end))
    at = end
  }
  return fields
}

/** The location in the account that is PIX's, among those of other schemes (ids 26 to 51). */
function locationOf(fields: Fields): string | undefined {
  for (const [id, value] of fields) {
    if (id < '26' || id > '51') continue
    const account = fieldsOf(value)
    if (account?.get('00')?.toLowerCase() === GUI) return account.get('25')
  }
  return undefined
}

function contradiction(fields: Fields, charge: CheckedCharge): string | undefined {
  const location = locationOf(fields)
  if (location === undefined) return 'the code names no location of PIX'
  if (charge.location !== undefined && bare(location) !== bare(charge.location))
    return 'the code names another location'
  if (fields.get('53') !== BRL) return 'the code is not in reais'
  const amount = fields.get('54')
  if (amount !== undefined && parseAmount(amount) !== charge.amountMinor)
    return 'the code names another amount'
  return undefined
}

/** Without the scheme, which a location does not have by rule; the host in lower case. */
function bare(location: string): string {
  const [host = '', ...path] = location
    .trim()
    .replace(/^https:\/\//i, '')
    .split('/')
  return [host.toLowerCase(), ...path].join('/')
}
