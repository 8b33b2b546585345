// The dependencies of use cases: the needed parts of the core, and the stores of the package.
import type { Failure, TransactionRequest } from '@cofre/contracts'
import type { ChargeMethod, Refund, Transaction, TransactionCode } from '@cofre/gateway/method'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { createSqlBankChargeStore } from '../sql/bank-charge-store-sql.js'
import type { createSqlBankSweepStore } from '../sql/bank-sweep-store-sql.js'
import type { createSqlSurplusStore } from '../sql/surplus-store-sql.js'

/** A new charge of a store. */
export interface RoutedCharge {
  readonly merchantId: string
  readonly method: ChargeMethod
}

/** The accounts of stores with banks. */
export interface AccountStore {
  readonly find: (id: string) => Promise<ProviderAccount | undefined>
  /** The accounts that are asked for a new charge, in order. */
  readonly enabledRoute: (charge: RoutedCharge) => Promise<readonly string[]>
}

/** The transactions that charges belong to. */
export interface TransactionStore {
  readonly findByCode: (code: TransactionCode) => Promise<Transaction | undefined>
  /**
   * Deletes an intent for which nothing was charged; false if the transaction is committed by now.
   */
  readonly withdrawIntent: (intent: Transaction) => Promise<boolean>
  /** Plans a worker's next check of an open intent. */
  readonly askLater: (code: TransactionCode, atMs: number) => Promise<void>
}

/** The refunds that banks are asked to make. */
export interface RefundStore {
  /** Postpones a refund that could not be requested; the attempt does not count. */
  readonly putOff: (refund: Refund, untilMs: number) => Promise<void>
  /** The bank has it in process: it is polled at pauses of its own. */
  readonly postponeInProcess: (refund: Refund, machineNowMs: number) => Promise<void>
}

/** Why production would refuse a boleto for the payer: a real bank requires more of one. */
export type BoletoObjections = (
  storeId: string,
  payer: TransactionRequest['payer'],
) => Promise<readonly Failure[]>

export type BankChargeStore = ReturnType<typeof createSqlBankChargeStore>
export type BankSweepStore = ReturnType<typeof createSqlBankSweepStore>
export type SurplusStore = ReturnType<typeof createSqlSurplusStore>
