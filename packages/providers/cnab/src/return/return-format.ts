import type { SettlementFormat } from '@cofre/contracts'

/** Banks' return files of boletos. */
export const RETURN_FORMAT: SettlementFormat = {
  name: 'cnab',
  titles: {
    en: "CNAB: a bank's return file of boletos",
    'pt-BR': 'CNAB: retorno de boletos de um banco',
  },
  // Banks announce on which day they pay out payments at their counters.
  daysAhead: 60,
  namesCharges: true,
  loadReader: async () => (await import('./return-settlement.js')).readReturnSettlement,
}
