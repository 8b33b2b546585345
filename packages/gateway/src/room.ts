// What rooms have of the core: its rows and row maps to read, its calendar and codes, and what
// records what a bank has said. A room joins its own rows with payments in one statement, whose
// plan the tests hold; it writes no row of the core itself.
export {
  type ChargeRecordOptions,
  type ChargeRecords,
  createChargeRecords,
} from './create-charge-records.js'
export { archived, listEverywhere } from './ledger/database/archive.js'
export { storedPayment } from './ledger/database/bank-tables.js'
export {
  type GatewayTables,
  type TransactionRow,
  storedCardChange,
  storedRefund,
  storedTransaction,
} from './ledger/database/gateway-tables.js'
export {
  type Conversion,
  type RowOf,
  type StoredFields,
  conversion,
} from './ledger/database/stored-fields.js'
export { isShown } from './ledger/database/transition.js'
export type { ErasesPayer } from './ledger/transaction/erases-payer.js'
export type { FollowsPayments } from './ledger/transaction/follows-payments.js'
export type { PaymentSubscriber } from './ledger/transaction/payment-subscriber.js'
export type { ArrivedMoney, ListedPix, RecordedFile } from './model/arrived-money/arrived-money.js'
export {
  boletoEndMs,
  dayInBrasilia,
  dayNumberInBrasilia,
  nextBusinessDay,
  timeOfDayInBrasilia,
} from './model/calendar/brazilian-calendar.js'
export type { ListedBeside, PaymentListing } from './model/back-office/payment-listing.js'
export type { AppliedCardChange } from './model/card/card-change.js'
export type { BankPayment } from './model/payment-rail/bank-charge.js'
export type { Refund } from './model/refund/refund.js'
export { accountOf, boletoOf, cardOf } from './model/transaction/payment-details.js'
export { payerNameOf } from './model/transaction/stored-request.js'
export {
  type Transaction,
  type TransactionCode,
  drawTransactionCode,
  firstCodeAt,
  hasBeenPaid,
  isPayerErased,
  mayBeWithdrawn,
  timeOfCode,
} from './model/transaction/transaction.js'
