export {
  type AccountRequest,
  type PixBankOptions,
  type RunningPixBank,
  startPixBank,
} from './start-pix-bank.js'
export type { ClientCredentials } from './start-mutual-bank.js'
export {
  type AdyenAccountRequest,
  type AdyenCredentials,
  type AdyenOptions,
  type RunningAdyen,
  startAdyen,
} from './start-adyen.js'
export {
  type CieloAccountRequest,
  type CieloCredentials,
  type CieloOptions,
  type RunningCielo,
  startCielo,
} from './start-cielo.js'
export {
  type InterAccountRequest,
  type InterOptions,
  type RunningInter,
  startInter,
} from './start-inter.js'
export type { Authority, Credential, RandomBytes, Subject } from './authority/authority.js'
export type { Adyen } from './adyen/adyen.js'
export type { AdyenEvent } from './adyen/book.js'
export type { Decision as CieloDecision } from './cielo/book.js'
export type { Cielo } from './cielo/cielo.js'
export type { CieloConditions } from './cielo/conditions.js'
export type { Boleto } from './inter/book.js'
export type { CallbackAttempt } from './inter/callbacks.js'
export type { Inter, InterConditions } from './inter/inter.js'
export type { Tally } from './card-acquirer/tally.js'
export type { Scope } from './pix-bank/account.js'
export type { ApiManners } from './pix-bank/api-routes.js'
export type { Charge, Payment, Refund } from './pix-bank/book.js'
export type { Call, Conditions, Disturbance, Effect } from './pix-bank/conditions.js'
export type { PostResult } from './pix-bank/notice-post.js'
export type { NoticeAttempt } from './pix-bank/notices.js'
export type { PixBank } from './pix-bank/pix-bank.js'
