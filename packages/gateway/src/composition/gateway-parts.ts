import type { DueWork } from '@cofre/work'
// What an environment is put together from. Only the files that put use cases together see all of
// it: each use case has an interface of the ports that it needs.
import type { CardService, Clock, Environment, Log } from '@cofre/contracts'
import type { Ledger } from '../ledger/ledger.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { ListParts, PageParts, PaymentParts } from '../model/back-office/payment-part.js'
import type { InstallmentTerms } from '../model/card/installment-plan.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import type { PurchaseLimits } from '../model/purchase/purchase-rules.js'
import type { ApplyChange } from '../payment/card-return-service.js'
import type {
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

/** What an environment is put together from. */
export interface BaseParts extends Ledger {
  readonly environment: Environment
  readonly cards: CardService
  readonly rails: PaymentRails
  /**
   * Days after a sale in which its acquirer refunds it; undefined where nobody knows them. Absent
   * in the sandbox.
   */
  readonly refundDays?: RefundDays | undefined
  /** Told of each card payment that is refused for the declines before it. */
  readonly declineLimitReached?: LimitListener | undefined
  /** Told of each change that an acquirer reports of a charge, with what became of it. */
  readonly cardChangeEnded?: ChangeListener | undefined
  /** Told how many parameters of a query nothing has read. */
  readonly parametersIgnored?: ((count: number) => void) | undefined
  /** Told of each request whose signature is right. */
  readonly requestSigned?: SignatureListener | undefined
  /** What rooms have the worker do. */
  readonly roomWork: readonly DueWork[]
  /** The environment's time: the sandbox's can be moved. */
  readonly clock: Clock
  /** The machine's own time, for leases, secrets and signatures. */
  readonly machineClock: Clock
  /** Resolves after so many milliseconds of the machine's time. */
  readonly pause: Pause
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: RandomBelow
  readonly log: Log
  /** What this gateway creates are examples, and marked so. */
  readonly makesExamples?: true | undefined
  readonly signatureDigest: SignatureDigestRule
  /** At which stores reach this environment's API: the addresses that a signature may name. */
  readonly origins: readonly string[]
  /**
   * Origin at which payers reach this environment. Without it none comes back from the bank of its
   * card: no holder is authenticated.
   */
  readonly publicUrl?: string | undefined
  readonly requestPolicy: RequestRules
  /** Of stores that have no terms of their own. */
  readonly installmentTerms: InstallmentTerms
  readonly purchaseLimits: PurchaseLimits
  /** The country of an address on the internet; without it, every payer is in Brazil. */
  readonly countryOf?: CountryOf | undefined
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
  /**
   * Milliseconds from the response to a creation to the notification of the status in it: shops
   * store their order after the response, and refuse a notification that comes before.
   */
  readonly notifyDelayMs: number
}

/** What the payment methods of one environment are made with. */
export interface MethodParts extends BaseParts {
  readonly reportLimit: ReportLimit
}

/** What the use cases of one environment are made with. */
export interface UseCaseParts extends MethodParts {
  readonly methods: PaymentMethods
  readonly intents: Intents
  readonly create: CreateTransaction
  readonly applyChange: ApplyChange
  /** What rooms add to the page of a payment, and to payments in lists. */
  readonly pageParts: PaymentParts<PageParts>
  readonly listParts: PaymentParts<ListParts>
}
