import { createHash } from 'node:crypto'

/**
 * The same for the same operation, and 64 characters long. The account is a part of it: Adyen keeps
 * the keys of all merchant accounts of a company together.
 */
export function idempotencyKey(account: string, operation: string, reference: string): string {
  const parts = JSON.stringify([account, operation, reference])
  return createHash('sha256').update(parts).digest('hex')
}
