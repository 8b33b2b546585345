import type { Clock, Environment, RequestPolicy } from '@cofre/contracts'
import type {
  AddRoomRoutes,
  Desk,
  GatewayTables,
  InstallmentTerms,
  PaymentListing,
} from '@cofre/gateway/room'
import type { Database } from '@cofre/sql'
import { paymentRoutes } from './api/payment-routes.js'
import { type BackOffice, createBackOffice } from './back-office.js'
import type { PaymentNotifications } from './model/payment-file.js'
import type { AccountsOfStore } from './model/payment-accounts.js'
import { createPayerBlocks } from './payer-blocks.js'
import type { PaymentActs } from './model/payment-acts.js'
import { createPaymentActs } from './payment-acts.js'
import { createSqlDeskStore } from './sql/desk-store-sql.js'
import { createSqlRefundLists } from './sql/refund-list-sql.js'
import { createSqlStoreBlocks } from './sql/store-block-sql.js'
import { type UnderReview, createUnderReview } from './sql/under-review-sql.js'
import { createWaitingCaptures } from './sql/waiting-capture-sql.js'
import type { WaitingCaptures } from './model/waiting-captures.js'

export type { BackOffice } from './back-office.js'
export { type NamedSettings, newStoreSettings, settingsNamed } from './model/operator-settings.js'
export type { AccountsOfStore } from './model/payment-accounts.js'
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
export {
  OPERATOR_SCOPES,
  type OperatorKey,
  type OperatorScope,
  USUAL_SCOPES,
  readPublicKey,
} from './stores-api/model/operator-key.js'
export { type OperatorKeys, createOperatorKeys } from './stores-api/sql/operator-key-sql.js'

/** The dependencies of one environment's desk. */
export interface OperatorOptions {
  readonly environment: Environment
  /** The database of the environment's gateway. */
  readonly database: Database<GatewayTables>
  readonly machineClock: Clock
  /** The terms of stores without terms of their own. */
  readonly installmentTerms: InstallmentTerms
  readonly requestPolicy: Pick<RequestPolicy, 'acceptsNotificationUrl'>
  /** Accounts with acquirers, for answers of the API; without it they have no names. */
  readonly accountsOf?: AccountsOfStore | undefined
}

/** The desk of the people who run a store or the installation. */
export interface OperatorRoom {
  /** The data and actions of an operator or, in the sandbox, of a store's developer. */
  readonly backOffice: BackOffice
  /** The staff's actions on a store's payments. */
  readonly paymentActs: PaymentActs
  /** Transactions whose outcome is not known yet. */
  readonly underReview: UnderReview
  /** Authorized payments, which wait for their capture. */
  readonly waitingCaptures: WaitingCaptures
  /** For the API of stores. */
  readonly deskRoutes: AddRoomRoutes
}

/** The parts under the desk. */
interface OperatorBase {
  /** The core's part, provided by a gateway. */
  readonly desk: Desk
  readonly listing: Pick<PaymentListing, 'isPermanentByName'>
  readonly notifications: PaymentNotifications
}

/** The desk of a gateway. */
export function createOperator(
  options: OperatorOptions,
  { desk, listing, notifications }: OperatorBase,
): OperatorRoom {
  const { database } = options
  const parts = { ...options, ...desk, notifications, store: createSqlDeskStore(database) }
  const storeBlocks = createSqlStoreBlocks(database)
  const backOffice = createBackOffice(parts)
  const waitingCaptures = createWaitingCaptures(database)
  const paymentActs = createPaymentActs({
    ...parts,
    waitingCaptures,
    payerBlocks: createPayerBlocks({ ...parts, storeBlocks }),
  })
  return {
    backOffice,
    paymentActs,
    underReview: createUnderReview(database),
    waitingCaptures,
    deskRoutes: paymentRoutes({
      accounts: options.accountsOf ?? noAccounts,
      acts: paymentActs,
      copies: desk.copies,
      find: backOffice.findTransaction,
      listing,
      refunds: createSqlRefundLists(database),
    }),
  }
}

const noAccounts: AccountsOfStore = () =>
  Promise.resolve({ labelOf: () => undefined, acquirerOf: () => undefined })
