// The core's interface for a package of payment methods: the ports that it implements, and the
// statements that it commits with. Such a package writes a status, a refund and their notifications
// by the core's own statements, in its own units of work. The interface for reading is `room.ts`.
export { createShownPayments } from './create-shown-payments.js'
export { findToChange, returnFromArchive } from './ledger/archive/archive-move-sql.js'
export { findAnywhere, listEverywhere } from './ledger/database/archive.js'
export {
  type BankChargeRow,
  type BankSweepRow,
  storedCharge,
  storedPayment,
} from './ledger/database/bank-tables.js'
export { type GatewayTables, storedTransaction } from './ledger/database/gateway-tables.js'
export { mayBeWithdrawn as isUndecidedRow } from './ledger/database/transition.js'
export {
  type RefundReading,
  endRefund,
  insertProviderRefund,
  refundsOfTransaction,
} from './ledger/refund/refund-sql.js'
export { paymentChanged } from './ledger/transaction/payment-changed.js'
export { changeStatus, settleWaiting } from './ledger/transaction/status-change.js'
export type { IntentPart, IntentRemoval } from './method/intent-part.js'
export type { MethodRoom } from './method/method-room.js'
export type { PaymentMethod, PlannedOrder } from './method/payment-method.js'
export type { PaymentPart } from './model/back-office/payment-part.js'
export {
  boletoDeadlineMs,
  boletoEndMs,
  dayInBrasilia,
  nextBusinessDay,
  payableDays,
} from './model/calendar/brazilian-calendar.js'
export { amountShare } from './model/card/charged-share.js'
export type {
  BankCharge,
  BankChargeDetails,
  BankPayment,
  ChargeMethod,
  ChargeName,
  LateSweep,
  PaymentPurpose,
  SweepKind,
} from './model/payment-rail/kept-charge.js'
export {
  type PaymentKind,
  BOLETO_PAYMENT,
  PIX_PAYMENT,
} from './model/payment-rail/payment-kinds.js'
export type { PaymentRails } from './model/payment-rail/payment-rails.js'
export { REFUND_NAME_PREFIX, bankRefundId } from './model/refund/refund-identity.js'
export {
  type MethodRefundCause,
  type Refund,
  type RefundId,
  type RefundOutcome,
  REFUND_PAUSE_MAX_MS,
  drawRefundId,
  refundInProcess,
  refundPauseMs,
} from './model/refund/refund.js'
export {
  type BoletoDetails,
  type WaitingDetails,
  bankAccountOf,
  boletoOf,
} from './model/transaction/payment-details.js'
export { onlyCharge, storedRequest } from './model/transaction/stored-request.js'
export {
  type MethodAnswer,
  type Transaction,
  type TransactionCode,
  OPEN_INTENT_CHECK_AFTER_MS,
  OPEN_INTENT_PAUSE_MAX_MS,
  drawTransactionCode,
} from './model/transaction/transaction.js'
export type { Pause, RandomBelow } from './payment/ports.js'
export { withdraw } from './payment/withdrawal-service.js'
