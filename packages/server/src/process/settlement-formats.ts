import { OWN_FORMAT, type SettlementFormats, createSettlementFormats } from '@cofre/settlements'
import { loadReports } from '@cofre/providers'

/** The settlement files that can be uploaded. Their readers are loaded with the first upload. */
export async function loadSettlementFormats(): Promise<SettlementFormats> {
  return createSettlementFormats([...(await loadReports()), OWN_FORMAT])
}
