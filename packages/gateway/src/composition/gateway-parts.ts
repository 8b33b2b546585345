import type { DueWork } from '@cofre/work'
// Only the files that compose use cases see all of these parts. Each use case has an interface of
// the ports that it needs.
import type { CardService, Clock, Environment, Log } from '@cofre/contracts'
import type { Ledger } from '../ledger/ledger.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { ListParts, PageParts, PaymentParts } from '../model/back-office/payment-part.js'
import type { InstallmentTerms } from '../model/card/installment-plan.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import type { PurchaseLimits } from '../model/purchase/purchase-rules.js'
import type { ApplyChange } from '../payment/card-return-service.js'
import type {
  CaptureListener,
  ChangeListener,
  CountryOf,
  LimitListener,
  Pause,
  RandomBelow,
  RefundDays,
  RequestRules,
  SignatureDigestRule,
  SignatureListener,
} from '../payment/ports.js'
import type { ReportLimit } from '../payment/decline-limit-service.js'
import type { Intents } from '../payment/intent-service.js'
import type { CreateTransaction } from '../payment/transaction-service.js'

/** The parts that an environment is composed of. */
export interface BaseParts extends Ledger {
  readonly environment: Environment
  readonly cards: CardService
  readonly rails: PaymentRails
  /**
   * Days after a sale in which its acquirer refunds it; undefined if unknown. Absent in the
   * sandbox.
   */
  readonly refundDays?: RefundDays | undefined
  /** Notified of each card payment that earlier declines block. */
  readonly declineLimitReached?: LimitListener | undefined
  /** Notified of each change of a charge that an acquirer reports, with its outcome. */
  readonly cardChangeEnded?: ChangeListener | undefined
  /** Notified of each end of an authorized payment, and of each refusal to end one. */
  readonly captureEnded?: CaptureListener | undefined
  /** Receives the number of unread parameters of a query. */
  readonly parametersIgnored?: ((count: number) => void) | undefined
  /** Notified of each request with a valid signature. */
  readonly requestSigned?: SignatureListener | undefined
  /** The rooms' work for the worker. */
  readonly roomWork: readonly DueWork[]
  /** The environment's time: the sandbox's can be moved. */
  readonly clock: Clock
  /** The machine's own time, for leases, secrets and signatures. */
  readonly machineClock: Clock
  /** Sleeps for the given milliseconds of the machine's time. */
  readonly pause: Pause
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: RandomBelow
  readonly log: Log
  /** Set if everything that this gateway creates is an example, and marked as one. */
  readonly makesExamples?: true | undefined
  readonly signatureDigest: SignatureDigestRule
  /** Addresses of this environment's API, which a signature may name. */
  readonly origins: readonly string[]
  /**
   * Origin at which payers reach this environment. Without it, no payer can return from the bank of
   * a card, so no cardholder is authenticated.
   */
  readonly publicUrl?: string | undefined
  readonly requestPolicy: RequestRules
  /** Terms of stores without their own. */
  readonly installmentTerms: InstallmentTerms
  readonly purchaseLimits: PurchaseLimits
  /** The country of an internet address; without it, every payer is in Brazil. */
  readonly countryOf?: CountryOf | undefined
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
  /**
   * Milliseconds between the response to a creation and the notification of its status. Shops store
   * their order after the response, and refuse an earlier notification.
   */
  readonly notifyDelayMs: number
}

/** Dependencies of the payment methods of one environment. */
export interface MethodParts extends BaseParts {
  readonly reportLimit: ReportLimit
}

/** Dependencies of the use cases of one environment. */
export interface UseCaseParts extends MethodParts {
  readonly methods: PaymentMethods
  readonly intents: Intents
  readonly create: CreateTransaction
  readonly applyChange: ApplyChange
  /** Data that rooms add to a payment's page, and to payments in lists. */
  readonly pageParts: PaymentParts<PageParts>
  readonly listParts: PaymentParts<ListParts>
}
