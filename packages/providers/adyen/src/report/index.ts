import type { SettlementFormat } from '@cofre/contracts'

/** The settlement details report. */
export const ADYEN_REPORT: SettlementFormat = {
  name: 'adyen',
  titles: { en: 'Adyen: settlement details', 'pt-BR': 'Adyen: settlement details' },
  daysAhead: 2,
  isTable: true,
  loadReader: async () => (await import('./adyen-report.js')).readAdyenReport,
}
