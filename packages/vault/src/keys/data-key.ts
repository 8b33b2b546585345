import type { Environment } from '@cofre/contracts'
import type { SealedText } from './sealed-value.js'

/** What a data key protects. One key each. */
export type DataKeyScope =
  | 'sessions'
  | 'direct-tokens'
  | 'authorizations'
  | 'fingerprints'
  | 'audit-log'
  | `saved-cards:${Environment}:${string}`

/** A data key at rest: wrapped by a key-encryption key. */
export interface WrappedDataKey {
  readonly id: string
  readonly scope: string
  readonly wrappedKey: SealedText
  readonly createdAtMs: number
  /** Since when it is wrapped by this key-encryption key. */
  readonly wrappedAtMs: number
}
