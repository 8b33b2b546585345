import type { AcquirerConditions } from '@cofre/provider-kit/simulator'

/** How Cielo behaves: what a person sets on its page. */
export interface CieloConditions extends AcquirerConditions {
  /**
   * When what was captured goes back; never, without a balance in the shop's agenda. `not-settled`:
   * no part before the settlement. `done-unsaid`: done, and answered as a failure.
   */
  refunds: 'from-next-day' | 'at-once' | 'no-balance' | 'not-settled' | 'done-unsaid'
  /** How long a new sale is found by no query, in milliseconds. */
  queryLagMs: number
  /** What a query by order calls its list: the manual and Cielo's newer pages differ. */
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
