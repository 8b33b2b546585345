import type { Environment, ReadSettlement, SettlementFormat } from '@cofre/contracts'
import { readAdyenReport } from './adyen-report.js'
import { readCieloStatement } from './cielo-statement.js'
import { readOwnCsv } from './own-csv.js'

const READERS = {
  adyen: readAdyenReport,
  cielo: readCieloStatement,
  cofre: readOwnCsv,
} as const satisfies Readonly<Partial<Record<SettlementFormat, unknown>>>

/** What acquirers give, and what stores make of others. */
export type AcquirerFormat = keyof typeof READERS

/** Reads the files of the acquirers that an environment charges at. */
export function settlementReader(environment: Environment): ReadSettlement<AcquirerFormat> {
  return (format, content) => READERS[format](content, environment)
}
