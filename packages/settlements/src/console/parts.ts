import type { Environment } from '@cofre/contracts'
import type { PanelParts } from '@cofre/panel/page'
import type { SettlementFormats } from '../model/settlement-formats.js'
import type { Settlements } from '../model/settlements.js'

/** What the pages show. */
export interface ShownSettlements {
  /** Of the environments that the console has. */
  readonly settlements: Readonly<Partial<Record<Environment, Settlements>>>
  /** The files of payouts that can be uploaded. */
  readonly formats: SettlementFormats
}

export type SettlementParts = PanelParts & ShownSettlements
