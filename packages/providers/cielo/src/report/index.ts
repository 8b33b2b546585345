import type { SettlementFormat } from '@cofre/contracts'

/** The statement of payments (`extrato eletrônico`, file 04). */
export const CIELO_STATEMENT: SettlementFormat = {
  name: 'cielo',
  titles: { en: 'Cielo: statement, payments (04)', 'pt-BR': 'Cielo: extrato de pagamentos (04)' },
  daysAhead: 2,
  loadReader: async () => (await import('./cielo-statement.js')).readCieloStatement,
}
