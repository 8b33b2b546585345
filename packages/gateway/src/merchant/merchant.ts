import type { Secret } from '@cofre/contracts'

/** A store that uses the gateway. The spec calls its identifier store id, or merchant id. */
export interface Merchant {
  readonly id: string
  readonly name: string
  /** Signs the store's requests; never sent. */
  readonly secret: Secret<string>
  readonly enabled: boolean
  /** Whether the store may send card numbers itself (PCI level 1 or 2). */
  readonly mayUseRawCards: boolean
  readonly refunds: RefundRight
}

/** What a merchant may refund; a reseller's category allows no refunds at all (spec 7.6). */
export type RefundRight = 'full-and-partial' | 'full' | 'none' | 'reseller'
