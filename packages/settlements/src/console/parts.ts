import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { SettlementFormats } from '../model/settlement-formats.js'
import type { Settlements } from '../model/settlements.js'

/** What the pages show. */
export interface ShownSettlements {
  readonly settlements: PerEnvironment<Settlements>
  /** Ids of the accounts that a store's payments name. */
  readonly accountsOfPayments: PerEnvironment<(storeId: string) => Promise<readonly string[]>>
  /** The files of payouts that can be uploaded. */
  readonly formats: SettlementFormats
}

export type SettlementParts = PanelParts & ShownSettlements
