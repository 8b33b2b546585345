import type { Clock, Log } from '@cofre/contracts'
import type { Database } from '@cofre/sql'
import { createSqlReturnLineStore } from './ledger/boleto-file/return-line-store-sql.js'
import type { GatewayTables } from './ledger/database/gateway-tables.js'
import { removeCharge } from './ledger/bank-charge/charge-intent-sql.js'
import { createSqlBankChargeStore } from './ledger/bank-charge/bank-charge-store-sql.js'
import { createSqlTransactionStore } from './ledger/transaction/transaction-store-sql.js'
import type { ArrivedMoney } from './model/arrived-money/arrived-money.js'
import { recordCharge } from './payment/charge-record-service.js'
import {
  type GivenFile,
  type ReturnFileDeps,
  matchReturnFile,
  takeReturnFile,
} from './payment/return-file-service.js'

/** What a command has of an environment. */
export interface ReturnFilesOptions {
  readonly database: Database<GatewayTables>
  /** The environment's time. */
  readonly clock: Clock
  readonly machineClock: Clock
  readonly randomBelow: (limit: number) => number
  readonly log: Log
  readonly money: Pick<ArrivedMoney, 'lastDayOf' | 'keepFile'>
}

/** Takes banks' return files in, beside the processes that serve. */
export type ReturnFiles = ReturnType<typeof returnFilesOf>

export function createReturnFiles({ database, ...options }: ReturnFilesOptions): ReturnFiles {
  const recording = { ...options, bankCharges: createSqlBankChargeStore(database) }
  return returnFilesOf({
    ...recording,
    recordCharge: (code, said) => recordCharge(recording, code, said),
    returnLines: createSqlReturnLineStore(database),
    transactions: createSqlTransactionStore(database, [removeCharge]),
  })
}

export function returnFilesOf(deps: ReturnFileDeps) {
  return {
    /** Whose its lines are. Changes nothing. */
    match: (file: Pick<GivenFile, 'accountId' | 'file'>) => matchReturnFile(deps, file),

    /** Takes a file in; may be done again, and by several at once. */
    take: (file: GivenFile) => takeReturnFile(deps, file),
  }
}
