import type { SettledMethod, SettlementMode, SettlementModes } from './settlement-mode.js'

export interface SettlementModeStore {
  /** Every mode of the store, defaults included. */
  modesOf(storeId: string): Promise<SettlementModes>
  setMode(storeId: string, method: SettledMethod, mode: SettlementMode): Promise<void>
}
