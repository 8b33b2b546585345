// Addresses that a payer opens. Short, because with the origin they have at most 64 characters
// (specification, section 2.3).
import { PUBLIC_ID_LENGTH } from '../transaction/transaction.js'

export type QrFormat = 'png' | 'svg'

export function boletoPath(publicId: string): string {
  return `/b/${publicId}`
}

/** The bank's own slip of a boleto. */
export function slipPath(publicId: string): string {
  return `${boletoPath(publicId)}.pdf`
}

export function qrPath(publicId: string, format: QrFormat): string {
  return `/q/${publicId}.${format}`
}

/** The page that sends a cardholder to the bank's authentication. */
export function authenticationPath(publicId: string): string {
  return `/a/${publicId}`
}

/** The page to which the bank returns the cardholder. */
export function authenticationReturnPath(publicId: string): string {
  return `${authenticationPath(publicId)}/return`
}

const ADDRESS_LENGTH_MAX = 64

/** The longest origin that leaves room for every address. */
export const PUBLIC_URL_LENGTH_MAX =
  ADDRESS_LENGTH_MAX - qrPath('x'.repeat(PUBLIC_ID_LENGTH), 'png').length
