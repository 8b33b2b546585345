export * from './account.js'
export * from './account-provider.js'
export type * from './acquirer-terms.js'
export type * from './rule-in-force.js'
export type { AccountsByCharge, RoutedAccounts } from './account-route-sql.js'
export * from './account-store-sql.js'
export type * from './account-tables.js'
export {
  TrialDatabaseError,
  UNSIMULATED,
  findAccountOf,
  isTrial,
  markTrial,
} from './trial-mark-sql.js'
