import type { SettledMethod, SettlementMode, SettlementModes } from '../test-desk/test-desk.js'

export interface SettlementModeStore {
  /** Every mode of the store, defaults included. */
  modesOf(storeId: string): Promise<SettlementModes>
  setMode(storeId: string, method: SettledMethod, mode: SettlementMode): Promise<void>
}
