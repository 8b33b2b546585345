import type { Secret } from '@cofre/contracts'
import type { InstallmentTerms, Merchant } from '@cofre/gateway/room'
import { type PanelParts, type PerEnvironment, type Visit, portAt } from '@cofre/panel/page'
import type { StoreSettings } from '../../model/store-settings.js'

/** What the pages of a store ask of the desk. */
export interface StoreDesk extends StoreSettings {
  readonly findMerchant: (storeId: string) => Promise<Merchant | undefined>
  /**
   * Gives a store a new secret, whose old one signs for another 24 hours.
   * @returns until when, in epoch milliseconds; undefined when another was replaced meanwhile
   */
  readonly rotateSecret: (
    storeId: string,
    secret: Secret<string>,
    replaces: Secret<string>,
  ) => Promise<number | undefined>
  /** Of stores that have no terms of their own. */
  readonly usualTerms: () => InstallmentTerms
}

/** What the pages of a store show. */
export interface ShownStores {
  readonly desks: PerEnvironment<StoreDesk>
}

export type StoreParts = PanelParts & ShownStores

/** The desk of the environment that is visited. */
export function deskAt({ desks }: ShownStores, visit: Visit): StoreDesk {
  return portAt(desks, visit)
}
