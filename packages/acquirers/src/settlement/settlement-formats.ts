import type { SettlementFormat } from '@cofre/contracts'

/** The files that acquirers give, and the table that stores make of others. */
export const ACQUIRER_FORMATS: readonly SettlementFormat[] = [
  {
    name: 'adyen',
    titles: { en: 'Adyen: settlement details', 'pt-BR': 'Adyen: settlement details' },
    daysAhead: 2,
    isTable: true,
    loadReader: async () => (await import('./adyen-report.js')).readAdyenReport,
  },
  {
    name: 'cielo',
    titles: { en: 'Cielo: statement, payments (04)', 'pt-BR': 'Cielo: extrato de pagamentos (04)' },
    daysAhead: 2,
    loadReader: async () => (await import('./cielo-statement.js')).readCieloStatement,
  },
  {
    name: 'cofre',
    titles: { en: 'CSV of our own', 'pt-BR': 'CSV próprio' },
    daysAhead: 2,
    isTable: true,
    loadReader: async () => (await import('./own-csv.js')).readOwnCsv,
  },
]
