import { createHash } from 'node:crypto'
import { DECIMAL_CODE, type Environment } from '@cofre/contracts'
import type { PaymentKey } from '@cofre/vault'

const INSTALLATION = /^[a-z0-9]{1,8}$/
const LETTERS: Readonly<Record<Environment, string>> = { production: 'p', sandbox: 's' }

/**
 * The payment's name at its acquirer: at most 24 lowercase letters and digits, and no more than the
 * 20 that Cielo hands on where the installation's name has four.
 */
export function paymentReference({
  installation,
  environment,
  transactionCode,
}: PaymentKey): string {
  return rendered(installation, LETTERS[environment], transactionCode)
}

/** A refund's name at its acquirer: never a payment's. */
export function refundReference(
  { installation, environment }: PaymentKey,
  refundId: string,
): string {
  return rendered(installation, environment === 'production' ? 'r' : 't', refundId)
}

function rendered(installation: string, letter: string, code: string): string {
  if (!INSTALLATION.test(installation)) throw new RangeError('not the name of an installation')
  if (!DECIMAL_CODE.test(code)) throw new RangeError('not the code of a payment or refund')
  return `${installation}${letter}${code}`
}

/**
 * The same for the same operation, and 64 characters long. The account is a part of it: Adyen keeps
 * the keys of all merchant accounts of a company together.
 */
export function idempotencyKey(account: string, operation: string, reference: string): string {
  const parts = JSON.stringify([account, operation, reference])
  return createHash('sha256').update(parts).digest('hex')
}
