import { OWN_FORMAT, type SettlementFormats, createSettlementFormats } from '@cofre/settlements'
import { loadReports } from '@cofre/providers'

/** Settlement files for uploads. The first upload loads their readers. */
export async function loadSettlementFormats(): Promise<SettlementFormats> {
  return createSettlementFormats([...(await loadReports()), OWN_FORMAT])
}
