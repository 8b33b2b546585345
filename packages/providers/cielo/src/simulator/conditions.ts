import type { AcquirerConditions } from '@cofre/provider-kit/simulator'

/** Cielo's behaviour, as set on its page. */
export interface CieloConditions extends AcquirerConditions {
  /**
   * The earliest refund of a captured sale. `no-balance`: never, as the shop's agenda has no
   * balance. `not-settled`: no partial one before the settlement. `done-unsaid`: done, but answered
   * as a failure.
   */
  refunds: 'from-next-day' | 'at-once' | 'no-balance' | 'not-settled' | 'done-unsaid'
  /** The time until queries find a new sale, in milliseconds. */
  queryLagMs: number
  /** The list's name in a query by order: the manual and Cielo's newer pages differ. */
  listName: 'Payment' | 'Payments'
}

export const CALM_CIELO: Readonly<CieloConditions> = {
  notices: 'once',
  refunds: 'from-next-day',
  queryLagMs: 0,
  delayMs: 0,
  connection: 'kept',
  listName: 'Payment',
  links: 'free',
}
