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

/** What rooms may say of charges at banks. */
export interface ChargeRecords {
  /** The transaction of a code. */
  find(code: TransactionCode): Promise<Transaction | undefined>
  /** Commits what a bank says of a charge. May be said again. */
  readonly record: RecordCharge
  /** Has the worker ask the bank about a charge soon. */
  lookAgain(code: TransactionCode, machineNowMs: number): Promise<void>
}

/** What they are kept with, in a process that serves or beside it. */
export interface ChargeRecordOptions extends Omit<ChargeRecordDeps, 'bankCharges'> {
  readonly database: Database<GatewayTables>
}

export function createChargeRecords({ database, ...options }: ChargeRecordOptions): ChargeRecords {
  const recording = { ...options, bankCharges: createSqlBankChargeStore(database) }
  return {
    find: createShownPayments(database, []).findByCode,
    record: (code, said) => recordCharge(recording, code, said),
    lookAgain: (code, machineNowMs) => recording.bankCharges.lookAtCharge(code, machineNowMs),
  }
}
