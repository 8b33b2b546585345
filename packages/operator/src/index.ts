import type { Clock, Environment, RequestPolicy } from '@cofre/contracts'
import type { Desk, GatewayTables, InstallmentTerms } from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { type BackOffice, createBackOffice } from './back-office.js'
import type { PaymentNotifications } from './model/payment-file.js'
import { createPayerBlocks } from './payer-blocks.js'
import type { PaymentActs } from './model/payment-acts.js'
import { createPaymentActs } from './payment-acts.js'
import { createSqlDeskStore } from './sql/desk-store-sql.js'
import { createSqlStoreBlocks } from './sql/store-block-sql.js'
import { type UnderReview, createUnderReview } from './sql/under-review-sql.js'

export type { BackOffice } from './back-office.js'
export { readFieldOrigin } from './model/field-origins.js'
export {
  NOT_NOTIFIED,
  type PaymentNotifications,
  type Period,
  type TransactionDetails,
} from './model/payment-file.js'
export {
  LIMIT_SETTINGS,
  type LimitSetting,
  type SettingProblems,
  type WantedSettings,
  interestMark,
  isStoreName,
  settingsMark,
} from './model/shop-settings.js'
export { createOperatorView, findPayment } from './operator-view.js'
export type {
  CancelResult,
  PaymentActs,
  PossibleActs,
  RefundOrder,
  RefundResult,
} from './model/payment-acts.js'
export {
  type BlockedPayer,
  type PayerBlocklist,
  createPayerBlocklist,
} from './sql/payer-blocklist-sql.js'
export type { SurplusPayment } from './sql/surplus-list-sql.js'
export { type UnderReview, createUnderReview } from './sql/under-review-sql.js'
export type { SettingAuthor, SettingsResult } from './model/store-settings.js'

/** The dependencies of one environment's desk. */
export interface OperatorOptions {
  readonly environment: Environment
  /** The database of the environment's gateway. */
  readonly database: Database<GatewayTables>
  readonly machineClock: Clock
  /** The terms of stores without terms of their own. */
  readonly installmentTerms: InstallmentTerms
  readonly requestPolicy: Pick<RequestPolicy, 'acceptsNotificationUrl'>
}

/** The desk of the people who run a store or the installation. */
export interface OperatorRoom {
  /** The data and actions of an operator or, in the sandbox, of a store's developer. */
  readonly backOffice: BackOffice
  /** The staff's actions on a store's payments. */
  readonly paymentActs: PaymentActs
  /** Transactions whose outcome is not known yet. */
  readonly underReview: UnderReview
}

/** The parts under the desk. */
interface OperatorBase {
  /** The core's part, provided by a gateway. */
  readonly desk: Desk
  readonly notifications: PaymentNotifications
}

/** The desk of a gateway. */
export function createOperator(
  options: OperatorOptions,
  { desk, notifications }: OperatorBase,
): OperatorRoom {
  const { database } = options
  const parts = { ...options, ...desk, notifications, store: createSqlDeskStore(database) }
  const storeBlocks = createSqlStoreBlocks(database)
  return {
    backOffice: createBackOffice(parts),
    paymentActs: createPaymentActs({
      ...parts,
      payerBlocks: createPayerBlocks({ ...parts, storeBlocks }),
    }),
    underReview: createUnderReview(database),
  }
}
