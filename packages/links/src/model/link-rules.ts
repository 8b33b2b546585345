import type { Environment } from '@cofre/contracts'
import type { InstallmentTerms, PurchaseLimits, RequestRules } from '@cofre/gateway/room'
import type { NotifiedPause } from './card-pause.js'

/** The rules for links and orders, besides their store's own. */
export interface LinkRules {
  /** The terms of stores without terms of their own. */
  readonly installmentTerms: InstallmentTerms
  readonly purchaseLimits: PurchaseLimits
  readonly requestPolicy: RequestRules
}

/** Draws a uniform integer from 0 up to, not including, the limit. */
export type RandomBelow = (limit: number) => number

/** Writes to the owners of a store that cards are paused at its links. */
export type NotifyOfPause = (pause: NotifiedPause, owners: readonly string[]) => Promise<void>

/** A member of a store's staff. */
export interface StaffMember {
  readonly email: string
  readonly enabled: boolean
  /** Set if the e-mail may belong to another person by now. */
  readonly formerEmail?: string | undefined
  readonly role: string
}

/** The recipients of a report on paused cards. */
export interface PauseReports {
  readonly environment: Environment
  /** Called for each refused card: refused at one link, or at all links of a store. */
  readonly limitReached?: ((limit: 'link' | 'links') => void) | undefined
  /** Absent if no mail can be sent to owners. */
  readonly notify?: NotifyOfPause | undefined
  /** The staff of a store. */
  readonly staffOf: (storeId: string) => Promise<readonly StaffMember[]>
}
