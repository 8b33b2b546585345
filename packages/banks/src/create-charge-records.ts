import { createSqlBankChargeStore } from './sql/bank-charge-store-sql.js'
import {
  type GatewayTables,
  type Transaction,
  type TransactionCode,
  createShownPayments,
} from '@cofre/gateway/method'
import type { Database } from '@cofre/sql'
import {
  type ChargeRecordDeps,
  type RecordCharge,
  recordCharge,
} from './payment/charge-record-service.js'

/** The records of charges at banks, for rooms. */
export interface ChargeRecords {
  find(code: TransactionCode): Promise<Transaction | undefined>
  /** Commits a bank's report on a charge. May be repeated. */
  readonly record: RecordCharge
  /** Makes the worker read a charge at its bank soon. */
  readAgain(code: TransactionCode, machineNowMs: number): Promise<void>
}

/** The options of the records, in a serving process or another one. */
export interface ChargeRecordOptions extends Omit<ChargeRecordDeps, 'bankCharges'> {
  readonly database: Database<GatewayTables>
}

export function createChargeRecords({ database, ...options }: ChargeRecordOptions): ChargeRecords {
  const recording = { ...options, bankCharges: createSqlBankChargeStore(database) }
  return {
    find: createShownPayments(database, []).findByCode,
    record: (code, report) => recordCharge(recording, code, report),
    readAgain: (code, machineNowMs) => recording.bankCharges.planRead(code, machineNowMs),
  }
}
