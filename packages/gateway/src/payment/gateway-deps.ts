import type {
  CardService,
  Clock,
  Environment,
  Failure,
  Log,
  RequestPolicy,
  TransactionRequest,
} from '@cofre/contracts'
import type { Ledger } from '../ledger/ledger.js'
import type { PaymentMethods } from '../method/payment-method.js'
import type { ListParts, PageParts, PaymentParts } from '../model/back-office/payment-part.js'
import type { AppliedCardChange, ChangeEnd } from '../model/card/card-change.js'
import type { InstallmentTerms } from '../model/card/installment-plan.js'
import type { SignatureForm } from '../model/merchant/merchant.js'
import type { NotificationSender } from '../model/notification/notification.js'
import type { StoreShares } from '../model/notification/store-shares.js'
import type { ToldPause } from '../model/payment-link/card-pause.js'
import type { PaymentRails } from '../model/payment-rail/payment-rails.js'
import type { BankOfAccount } from '../model/payment-rail/account-bank.js'
import type { ReachedLimit } from '../model/purchase/decline-limits.js'
import type { PurchaseLimits } from '../model/purchase/purchase-rules.js'
import type { SettlementFormats } from '../model/settlement/settlement-formats.js'
import type { Transaction } from '../model/transaction/transaction.js'

/**
 * How a signature may spell the body's digest: as the specification has it for the interface, or
 * either way (specification, decision 7 of section 10).
 */
export type SignatureDigestRule = 'spec' | 'any'

/** What an acquirer's time for refunds depends on. */
export interface AcquirerSale extends Pick<Transaction, 'installments'> {
  /** `adyen` */
  readonly provider: string
  readonly brand: string
}

/** What the payment methods of one environment are made with. */
export interface MethodDeps extends Ledger {
  readonly environment: Environment
  readonly shares: StoreShares
  readonly cards: CardService
  readonly rails: PaymentRails
  /**
   * The banks of accounts. Without it, or for a store of the sandbox without an account, the rails
   * play the bank.
   */
  readonly bankOf?: BankOfAccount | undefined
  /**
   * Of the sandbox: why production would refuse a boleto for the payer, whose bank wants more than
   * one that is played. Absent where this process does not serve production.
   */
  readonly boletoObjections?:
    | ((storeId: string, payer: TransactionRequest['payer']) => Promise<readonly Failure[]>)
    | undefined
  /**
   * Days after a sale in which its acquirer refunds it; undefined where nobody knows them. Absent
   * in the sandbox.
   */
  readonly refundDays?: ((sale: AcquirerSale) => Promise<number | undefined>) | undefined
  /** Writes to the owners of a store that cards are paused at its links. Absent: nobody can. */
  readonly tellOfPause?:
    | ((pause: ToldPause, owners: readonly string[]) => Promise<void>)
    | undefined
  /** Told of each card payment that is refused for the declines before it. */
  readonly declineLimitReached?: ((limit: ReachedLimit) => void) | undefined
  /** Told of each change that an acquirer reports of a charge, with what became of it. */
  readonly cardChangeEnded?: ((kind: AppliedCardChange['kind'], end: ChangeEnd) => void) | undefined
  /** Told how many parameters of a query nothing has read. */
  readonly parametersIgnored?: ((count: number) => void) | undefined
  /** Told of each request whose signature is right. */
  readonly requestSigned?: ((form: SignatureForm) => void) | undefined
  /** The kinds of settlement files that are read. */
  readonly settlementFormats: SettlementFormats
  readonly sender: NotificationSender
  /** The environment's time: the sandbox's can be moved. */
  readonly clock: Clock
  /** The machine's own time, for leases, secrets and signatures. */
  readonly machineClock: Clock
  /** Resolves after so many milliseconds of the machine's time. */
  readonly pause: (durationMs: number) => Promise<void>
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: (limit: number) => number
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
  readonly requestPolicy: Omit<RequestPolicy, 'today' | 'refusesCardReferences'>
  /** Of stores that have no terms of their own. */
  readonly installmentTerms: InstallmentTerms
  readonly purchaseLimits: PurchaseLimits
  /** The country of an address on the internet; without it, every payer is in Brazil. */
  readonly countryOf?: ((address: string) => string | undefined) | undefined
  /** Days from the creation of a boleto to its due date. */
  readonly boletoDays: number
  /** Milliseconds between attempts at a notification. */
  readonly notifyIntervalMs: number
  /**
   * Milliseconds from the response to a creation to the notification of the status in it: shops
   * store their order after the response, and refuse a notification that comes before.
   */
  readonly notifyDelayMs: number
}

/** What the use cases of one environment are made with. */
export interface GatewayDeps extends MethodDeps {
  readonly methods: PaymentMethods
  /** What rooms add to the page of a payment, and to payments in lists. */
  readonly pageParts: PaymentParts<PageParts>
  readonly listParts: PaymentParts<ListParts>
}
