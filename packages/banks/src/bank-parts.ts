// The parts of one environment's banks. Only the files that assemble use cases see all of them:
// each use case has an interface of the ports that it needs.
import type { Clock, Environment, Log } from '@cofre/contracts'
import type {
  ChargeMethod,
  GatewayTables,
  Pause,
  PaymentRails,
  RandomBelow,
  Transaction,
  TransactionCode,
} from '@cofre/gateway/method'
import type { BankOfAccount } from '@cofre/provider-kit/bank'
import type { Database } from '@cofre/sql'
import type { ArrivedMoney } from './model/arrived-money.js'
import {
  type AccountBanks,
  boundedBanks,
  createAccountBanks,
} from './payment/account-bank-service.js'
import { type PlanCharge, planCharge } from './payment/bank-payment-service.js'
import { type ChargeOpening, createChargeOpening } from './payment/charge-opening-service.js'
import {
  type RecordCharge,
  type ChargeReport,
  recordCharge,
} from './payment/charge-record-service.js'
import {
  type RemoveUnshown,
  type UnshownCharge,
  removeUnshown,
} from './payment/charge-removal-service.js'
import type {
  AccountStore,
  BankChargeStore,
  BankSweepStore,
  BoletoObjections,
  RefundStore,
  SurplusStore,
  TransactionStore,
} from './payment/ports.js'
import { createSqlBankChargeStore } from './sql/bank-charge-store-sql.js'
import { createSqlBankSweepStore } from './sql/bank-sweep-store-sql.js'
import { createSqlSurplusStore } from './sql/surplus-store-sql.js'

/** The parts of the gateway's core that banks need. */
export interface BankCore {
  readonly environment: Environment
  readonly database: Database<GatewayTables>
  readonly clock: Clock
  readonly machineClock: Clock
  readonly log: Log
  readonly randomBelow: RandomBelow
  readonly pause: Pause
  /** They simulate the bank of a store without an account, where that is allowed. */
  readonly rails: Pick<PaymentRails, 'opens'>
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
  readonly accounts: AccountStore
  readonly transactions: TransactionStore
  readonly refunds: RefundStore
}

/** Options of an environment's banks. */
export interface BankOptions {
  /**
   * The banks of accounts. Without it, or for a sandbox store without an account, the rails
   * simulate the bank.
   */
  readonly bankOf: BankOfAccount | undefined
  /** Milliseconds within which a bank must answer; default 20,000. */
  readonly bankTimeoutMs?: number | undefined
  /**
   * In the sandbox: why production would refuse a boleto for the payer, since a real bank requires
   * more than a simulated one. Absent if this process does not serve production.
   */
  readonly boletoObjections?: BoletoObjections | undefined
  /** Compares the banks' reports with payments. */
  readonly money: Pick<ArrivedMoney, 'recordList'>
}

/** The core and the stores, before use cases are bound. */
export interface BankBase extends BankCore, Omit<BankOptions, 'bankTimeoutMs'> {
  readonly bankCharges: BankChargeStore
  readonly bankSweeps: BankSweepStore
  readonly surpluses: SurplusStore
}

/** The dependencies of the banks' use cases. */
export interface BankParts extends BankBase {
  readonly banks: AccountBanks
  readonly opening: ChargeOpening
  readonly planCharge: PlanCharge
  readonly removeUnshown: RemoveUnshown
  readonly recordCharge: RecordCharge
}

export function bankBase<Core extends BankCore>(
  core: Core,
  { bankOf, bankTimeoutMs, ...options }: BankOptions,
): Core & BankBase {
  const { database } = core
  return {
    ...core,
    ...options,
    bankOf: bankOf && boundedBanks(bankOf, bankTimeoutMs),
    bankCharges: createSqlBankChargeStore(database),
    bankSweeps: createSqlBankSweepStore(database),
    surpluses: createSqlSurplusStore(database),
  }
}

/** Binds the use cases that other use cases depend on. */
export function bindBanks<Base extends BankBase>(base: Base): Base & BankParts {
  const banks = createAccountBanks(base)
  const removing = {
    ...base,
    banks,
    recordCharge: (code: TransactionCode, report: ChargeReport) => recordCharge(base, code, report),
  }
  return {
    ...removing,
    opening: createChargeOpening({ ...base, banks }),
    removeUnshown: (intent: Transaction, unseen: UnshownCharge) =>
      removeUnshown(removing, intent, unseen),
    planCharge: (accountId: string, method: ChargeMethod) => planCharge(base, accountId, method),
  }
}
