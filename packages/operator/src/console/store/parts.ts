import type { Secret } from '@cofre/contracts'
import type { InstallmentTerms, Merchant, ShownKeys } from '@cofre/gateway/room'
import { type PanelParts, type PerEnvironment, type Visit, portAt } from '@cofre/panel/page'
import type { StoreSettings } from '../../model/store-settings.js'

/** The pages' port to the desk. */
export interface StoreDesk extends StoreSettings {
  readonly findMerchant: (storeId: string) => Promise<Merchant | undefined>
  /** A store's keys, without secrets. */
  readonly keysOf: (storeId: string) => Promise<ShownKeys>
  /**
   * Gives a store a new secret; the old one signs for another 24 hours.
   * @returns the end of that time, in epoch milliseconds; undefined when another secret was
   * replaced meanwhile
   */
  readonly rotateSecret: (
    storeId: string,
    secret: Secret<string>,
    replaces: Secret<string>,
  ) => Promise<number | undefined>
  /** The terms of stores without terms of their own. */
  readonly usualTerms: () => InstallmentTerms
}

/** The dependencies of a store's pages. */
export interface ShownStores {
  readonly desks: PerEnvironment<StoreDesk>
}

export type StoreParts = PanelParts & ShownStores

/** The desk of the visited environment. */
export function deskAt({ desks }: ShownStores, visit: Visit): StoreDesk {
  return portAt(desks, visit)
}
