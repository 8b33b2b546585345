// Names of a payment and its refunds at their acquirer.
import { DECIMAL_CODE } from '../transaction/limits.js'
import type { Environment } from '../value/environment.js'

/** Identifies one payment at its acquirer, always the same way. */
export interface PaymentKey {
  /**
   * One to eight lowercase letters and digits that distinguish this installation from others with
   * the same contract: a copy of a database must not find the payments of its original.
   */
  readonly installation: string
  readonly environment: Environment
  /** The transaction's code: unique in its environment. */
  readonly transactionCode: string
}

const INSTALLATION = /^[a-z0-9]{1,8}$/
const PAYMENT_LETTERS: Readonly<Record<Environment, string>> = { production: 'p', sandbox: 's' }
const REFUND_LETTERS: Readonly<Record<Environment, string>> = { production: 'r', sandbox: 't' }

/**
 * The payment's name at its acquirer: at most 24 lowercase letters and digits. With an installation
 * name of four, at most the 20 that Cielo forwards.
 */
export function paymentReference({
  installation,
  environment,
  transactionCode,
}: PaymentKey): string {
  return rendered(installation, PAYMENT_LETTERS[environment], transactionCode)
}

/** A refund's name at its acquirer, always different from a payment's. */
export function refundReference(
  { installation, environment }: Omit<PaymentKey, 'transactionCode'>,
  refundId: string,
): string {
  return rendered(installation, REFUND_LETTERS[environment], refundId)
}

function rendered(installation: string, letter: string, code: string): string {
  if (!INSTALLATION.test(installation)) throw new RangeError('not the name of an installation')
  if (!DECIMAL_CODE.test(code)) throw new RangeError('not the code of a payment or refund')
  return `${installation}${letter}${code}`
}

/** The parts of a reference. */
export interface ReadReference {
  readonly of: 'payment' | 'refund'
  readonly installation: string
  readonly environment: Environment
  /** Code of the transaction, or the refund's id. */
  readonly code: string
}

const REFERENCE = /^(?<installation>[a-z0-9]{1,8})(?<letter>[psrt])(?<code>\d{1,15})$/

/** Undefined for a text that is not Cofre's reference. */
export function readReference(text: string): ReadReference | undefined {
  const { installation = '', letter, code = '' } = REFERENCE.exec(text)?.groups ?? {}
  if (letter === undefined) return undefined
  const of = Object.values(PAYMENT_LETTERS).includes(letter) ? 'payment' : 'refund'
  const environment = letter === 'p' || letter === 'r' ? 'production' : 'sandbox'
  return { of, installation, environment, code }
}
