export { createSandboxAcquirer } from './card/sandbox-acquirer.js'
export { createBankRoutes } from './card/bank-routes.js'
export { createSandboxCardPayments } from './card/sandbox-card-payments.js'
export { createSandboxStoredCards } from './card/sandbox-stored-cards.js'
export { type Sandbox, startSandbox } from './start-sandbox.js'
export { eraseRequestsOf } from './request-log/request-erasure-sql.js'
export { inspectSandboxDatabase, openSandboxDatabase } from './database/open-sandbox-database.js'
export { createSandboxRails } from './rail/sandbox-rails.js'
export * from './example/index.js'
export type { SandboxBank } from './simulated-bank/sandbox-bank.js'
export type { TestClock } from './test-clock/test-clock.js'
export { createSqlTestClockStore } from './test-clock/test-clock-sql.js'
export {
  FIXED_SAVED_CARD,
  TEST_CARDS,
  TEST_DATA,
  type TestDataTable,
  blockTestPayers,
  isBlockedTestPayer,
} from './test-data/test-data.js'
export { createControlRoutes } from './control/control-routes.js'
export { createReferenceRoutes } from './reference/reference-routes.js'
export { SANDBOX_OPERATIONS } from './reference/sandbox-operations.js'
export { createInboxRoutes } from './inbox/inbox-routes.js'
export type { InboxItem } from './inbox/inbox-sql.js'
export { type Inbox, openInbox, receive, setInboxAnswer } from './inbox/inbox-service.js'
export {
  type RequestFilter,
  type RequestFilterText,
  matchesFilter,
  readRequestFilter,
} from './request-log/request-filter.js'
export { UNKNOWN_FIELDS } from './request-log/request-headers.js'
export type { RecordedRequest, RequestMilestone } from './request-log/request-log-sql.js'
export {
  SETTLED_METHODS,
  type SettledMethod,
  type SettlementMode,
  type SettlementModes,
} from './simulated-bank/settlement-mode-sql.js'
export { createStreamRoutes } from './stream/stream-routes.js'
export { createWalletRoutes } from './wallet/wallet-routes.js'
export type { ChangesPayments, CountsDue } from './desk/sandbox-desk.js'
