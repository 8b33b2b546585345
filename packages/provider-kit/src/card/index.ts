export { codeTableOf, meaningOf } from './abecs-codes.js'
export { checkSimulator, checkedAnswers, textsOf } from './account-texts.js'
export type { AcquirerChange, AcquirerEvent } from './acquirer-event.js'
export type {
  AcquirerNotices,
  ElsewhereItem,
  EventFit,
  HeldCapture,
  HeldPayment,
  NoticeReading,
} from './acquirer-notices.js'
export {
  type ChargeOutcome,
  chargeOutcomeOf,
  checkOutcomeOf,
  findOutcomeOf,
  returnOutcomeOf,
} from './acquirer-outcome.js'
export type {
  AcquirerAccount,
  AcquirerConnection,
  AcquirerProvider,
  AcquirerSimulator,
  AcquirerTools,
} from './acquirer-provider.js'
export {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerPayment,
  type AuthorizeRequest,
  type BrandIds,
  type CancelRequest,
  type CaptureDecision,
  type CaptureRefusalReason,
  type CaptureRequest,
  type CardPayer,
  type CardToCharge,
  type ChargeDecision,
  type CheckDecision,
  type CheckRequest,
  type CompletedCharge,
  type CompletionRequest,
  type Doubt,
  type EarlierAttempts,
  type FindRequest,
  type FoundDispute,
  type FoundPayment,
  type RefundRequest,
  type ReturnDecision,
  type ReturnRefusalReason,
  type StoredCredential,
  isNotDone,
} from './acquirer.js'
export { type LinkPolicy, linksToSend, transactionLinkId } from './brand-links.js'
export { BRAND_RULES } from './brand-rules.js'
export { certain, concluded, unknown } from './call-conclusion.js'
export { plainLetters, secretsOf } from './card-texts.js'
export {
  INSTALLMENTS_QUESTION,
  contractInstallments,
  installmentsMax,
} from './contract-installments.js'
export { CAPTURE_DAYS_QUESTION, captureDays, contractCaptureDays } from './contract-capture.js'
export { credentialsAccepted, credentialsResult } from './credentials-result.js'
export { declineOf } from './decline.js'
export { idempotencyKey } from './idempotency-key.js'
