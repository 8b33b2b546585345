import type { Environment } from '@cofre/contracts'
import type { InstallmentTerms, PurchaseLimits, RequestRules } from '@cofre/gateway/room'
import type { ToldPause } from './card-pause.js'

/** What links and orders are judged by, beside their store's own rules. */
export interface LinkRules {
  /** Of stores that have no terms of their own. */
  readonly installmentTerms: InstallmentTerms
  readonly purchaseLimits: PurchaseLimits
  readonly requestPolicy: RequestRules
}

/** Draws a uniform integer from 0 up to, not including, the limit. */
export type RandomBelow = (limit: number) => number

/** Writes to the owners of a store that cards are paused at its links. */
export type TellOfPause = (pause: ToldPause, owners: readonly string[]) => Promise<void>

/** One of a store's people. */
export interface StaffMember {
  readonly email: string
  readonly enabled: boolean
  /** Set where the e-mail may be another person's by now. */
  readonly formerEmail?: string | undefined
  readonly role: string
}

/** Whom a pause of cards is reported to. */
export interface PauseReports {
  readonly environment: Environment
  /** Told of each card that is refused: at one link, or at all links of a store. */
  readonly limitReached?: ((limit: 'link' | 'links') => void) | undefined
  /** Absent: nobody can write to owners. */
  readonly tell?: TellOfPause | undefined
  /** The people of a store. */
  readonly staffOf: (storeId: string) => Promise<readonly StaffMember[]>
}
