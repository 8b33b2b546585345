// The bank's behaviour, as set on its page.
import type { CallConditions } from '@cofre/provider-kit/simulator'

export interface Conditions extends CallConditions {
  /** How often it sends each notice. */
  notices: 'once' | 'twice' | 'never'
  /** A refund is settled right after its answer, or waits for a person. */
  refunds: 'settled' | 'held'
  connection: Exclude<CallConditions['connection'], 'away'>
  /** Lifetime of new charges: as requested, or at most a minute, so that people can pay late. */
  lifetime: 'asked' | 'minute'
}

export const CALM: Readonly<Conditions> = {
  notices: 'once',
  refunds: 'settled',
  delayMs: 0,
  connection: 'kept',
  lifetime: 'asked',
}
