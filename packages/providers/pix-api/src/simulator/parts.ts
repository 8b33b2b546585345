export { BOLETO_SCOPES, type BankAccount, type Scope } from './account.js'
export {
  type ApiConventions,
  BODY_BYTES_MAX,
  type Env,
  answerError,
  needs,
  paymentRoutes,
  readJson,
  readTokenRequest,
  thumbprintAt,
} from './api-routes.js'
export {
  type Book,
  type Change,
  type Receiver,
  type Records,
  enter,
  isOf,
  isoTime,
  receiverOf,
} from './book.js'
export { type BankBooks, bankLine, bankLineSchema, readRecords } from './books-file.js'
export { copyAndPaste } from './wire/br-code.js'
export type { Conditions } from './conditions.js'
export { addPaymentActions } from './page/payment-actions.js'
export { PaymentCard } from './page/payment-card.js'
export { TEXTS, type Texts, dayText, money } from './page/view.js'
export { listPayments, newPayment } from './payments.js'
export { type PixBank, type PixBankDeps, createPixBank } from './pix-bank.js'
export { PixProblem } from './wire/problem.js'
export { readPaymentQuery } from './wire/wire.js'
