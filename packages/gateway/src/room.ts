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
export type { ErasesPayer } from './ledger/transaction/erases-payer.js'
export type { ArrivedMoney, ListedPix, RecordedFile } from './model/arrived-money/arrived-money.js'
export {
  boletoEndMs,
  dayInBrasilia,
  dayNumberInBrasilia,
  nextBusinessDay,
  timeOfDayInBrasilia,
} from './model/calendar/brazilian-calendar.js'
export type { AppliedCardChange } from './model/card/card-change.js'
export type { BankPayment } from './model/payment-rail/bank-charge.js'
export type { Refund } from './model/refund/refund.js'
export { accountOf, boletoOf, cardOf } from './model/transaction/payment-details.js'
export {
  type Transaction,
  type TransactionCode,
  drawTransactionCode,
  firstCodeAt,
  hasBeenPaid,
} from './model/transaction/transaction.js'
