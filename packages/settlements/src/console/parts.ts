import type { PanelParts, PerEnvironment } from '@cofre/panel/page'
import type { SettlementFormats } from '../model/settlement-formats.js'
import type { Settlements } from '../model/settlements.js'

/** The dependencies of the pages. */
export interface ShownSettlements {
  readonly settlements: PerEnvironment<Settlements>
  /** Ids of the accounts in a store's payments. */
  readonly accountsOfPayments: PerEnvironment<(storeId: string) => Promise<readonly string[]>>
  /** The formats of payout files that can be uploaded. */
  readonly formats: SettlementFormats
}

export type SettlementParts = PanelParts & ShownSettlements
