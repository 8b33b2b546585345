import type { SettlementFormat } from '@cofre/contracts'

/** The table that stores create from files without a reader. */
export const OWN_FORMAT: SettlementFormat = {
  name: 'cofre',
  titles: { en: 'Cofre’s own CSV', 'pt-BR': 'CSV próprio' },
  daysAhead: 2,
  isTable: true,
  loadReader: async () => (await import('./own-csv.js')).readOwnCsv,
}
