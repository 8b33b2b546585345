import { type Environment, HOUR_MS } from '@cofre/contracts'
import type { SealedText } from '../keys/sealed-value.js'

/**
 * What is soon forgotten, CVVs among it. A data key seals it for an hour only, and is erased when none of it is left:
 * from then on nobody opens what lingers of it in journals and backups without a key-encryption key of that time.
 */
export type HourlyPurpose = 'sessions' | 'direct-tokens' | 'authorizations'

/** What a data key protects. One key each. */
export type DataKeyScope =
  | `${HourlyPurpose}:${number}`
  | 'fingerprints'
  | 'audit-log'
  | `saved-cards:${Environment}:${string}`

/** After this time an hourly key seals no more, and sessions and tokens that it sealed have expired. */
export const HOURLY_KEY_LIFETIME_MS: number = 2 * HOUR_MS

export function hourlyScope(purpose: HourlyPurpose, nowMs: number): DataKeyScope {
  return `${purpose}:${Math.floor(nowMs / HOUR_MS)}`
}

/** A data key at rest: wrapped by a key-encryption key. */
export interface WrappedDataKey {
  readonly id: string
  readonly scope: string
  readonly wrappedKey: SealedText
  readonly createdAtMs: number
  /** Since when it is wrapped by this key-encryption key. */
  readonly wrappedAtMs: number
}
