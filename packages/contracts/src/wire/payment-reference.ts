// Names of a payment, its capture and refunds, and a card's check at their acquirer.
import { DECIMAL_CODE } from '../transaction/limits.js'
import { ENVIRONMENTS, type Environment } from '../value/environment.js'

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
type Letters = Readonly<Record<Environment, string>>
const PAYMENT_LETTERS: Letters = { production: 'p', sandbox: 's' }
const REFUND_LETTERS: Letters = { production: 'r', sandbox: 't' }
const CAPTURE_LETTERS: Letters = { production: 'a', sandbox: 'b' }
const CHECK_LETTERS: Letters = { production: 'c', sandbox: 'k' }

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

/** The name of a payment's capture at its acquirer, always different from the payment's. */
export function captureReference({
  installation,
  environment,
  transactionCode,
}: PaymentKey): string {
  return rendered(installation, CAPTURE_LETTERS[environment], transactionCode)
}

/** The name of a card's check at its acquirer, always different from a payment's. */
export function checkReference({ installation, environment, transactionCode }: PaymentKey): string {
  return rendered(installation, CHECK_LETTERS[environment], transactionCode)
}

function rendered(installation: string, letter: string, code: string): string {
  if (!INSTALLATION.test(installation)) throw new RangeError('not the name of an installation')
  if (!DECIMAL_CODE.test(code)) throw new RangeError('not the code of a payment or refund')
  return `${installation}${letter}${code}`
}

/** The parts of a reference. */
export interface ReadReference {
  readonly of: 'payment' | 'capture' | 'refund' | 'check'
  readonly installation: string
  readonly environment: Environment
  /** Code of the transaction (also for its capture) or the check, or the refund's id. */
  readonly code: string
}

const REFERENCE = /^(?<installation>[a-z0-9]{1,8})(?<letter>[psabrtck])(?<code>\d{1,15})$/

const MEANINGS: ReadonlyMap<string, Pick<ReadReference, 'of' | 'environment'>> = new Map(
  (
    [
      ['payment', PAYMENT_LETTERS],
      ['capture', CAPTURE_LETTERS],
      ['refund', REFUND_LETTERS],
      ['check', CHECK_LETTERS],
    ] as const
  ).flatMap(([of, letters]) =>
    ENVIRONMENTS.map((environment) => [letters[environment], { of, environment }] as const),
  ),
)

/** Undefined for a text that is not Cofre's reference. */
export function readReference(text: string): ReadReference | undefined {
  const { installation = '', letter = '', code = '' } = REFERENCE.exec(text)?.groups ?? {}
  const meaning = MEANINGS.get(letter)
  return meaning && { ...meaning, installation, code }
}
