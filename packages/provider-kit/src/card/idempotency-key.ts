import { createHash } from 'node:crypto'

/**
 * The same 64 characters for the same operation. The account is part of it: Adyen shares keys among
 * all merchant accounts of a company.
 */
export function idempotencyKey(account: string, operation: string, reference: string): string {
  const parts = JSON.stringify([account, operation, reference])
  return createHash('sha256').update(parts).digest('hex')
}
