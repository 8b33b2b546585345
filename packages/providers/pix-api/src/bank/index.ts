export {
  type PixApiAccess,
  credentialsSchema,
  documentSchema,
  readConnection,
  readSettings,
  settingsSchema,
} from './pix-api-account.js'
export { SETTLE_WITHIN_MS, createPixApiClient, createRefunds } from './pix-api-bank.js'
export {
  ANOTHER_NAME,
  type PixApiAnswer,
  type PixApiCaller,
  answerOf,
  asRefused,
  createPixApiCaller,
  unknownAfter,
  isPossiblyDone,
} from './pix-api-calls.js'
export { dateInBrasilia } from './pix-api-dated-wire.js'
export { PIX_API_PROFILES, type PixApiProfile } from './pix-api-profiles.js'
export { pixApi } from './pix-api-provider.js'
export { type BankQuestion, QUESTIONS, certificateOf, textsOf } from './pix-api-questions.js'
export {
  type Failure,
  type StepResult,
  TEST_PAYER_ADDRESS,
  sentenceOf,
  signInStep,
} from './pix-api-steps.js'
export { createWebhookRegistration } from './pix-api-webhook.js'
export {
  amount,
  anyAnswerSchema,
  maybe,
  paymentsAnswerSchema,
  periodQuery,
  webhookAnswerSchema,
} from './pix-api-wire.js'
