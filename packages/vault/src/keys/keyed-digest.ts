import { createHmac } from 'node:crypto'
import type { SealingKey } from './sealed-value.js'

/**
 * A keyed hash (PCI DSS 3.5.1.1): without the key, values cannot be tried against it. It begins
 * with its key's id, so that another key can replace it.
 */
export function keyedDigest({ id, key }: SealingKey, parts: readonly string[]): string {
  const digest = createHmac('sha256', key.reveal()).update(JSON.stringify(parts))
  return `${id}.${digest.digest('base64url')}`
}
