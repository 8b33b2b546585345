import type {
  AccountProvider,
  AccountSecrets,
  AccountTestStep,
  ProviderAccount,
} from '@cofre/accounts'
import type { Clock, Log, MinorUnits } from '@cofre/contracts'
import type { OutboundLimits } from '@cofre/outbound'
import type { Acquirer, AcquirerEvent } from '@cofre/vault'

/** An acquirer that stores have accounts with. */
export interface AcquirerProvider extends AccountProvider {
  /** Opens nothing before the first call. @throws Error when the account is not one of ours */
  connect(account: AcquirerAccount, tools: AcquirerTools): AcquirerConnection
}

/** What a connection needs of an account. */
export interface AcquirerAccount extends Pick<ProviderAccount, 'id' | 'kind' | 'settings'> {
  readonly secrets: Pick<AccountSecrets, 'credentials'>
}

/** What connections are made with. */
export interface AcquirerTools {
  readonly clock: Clock
  readonly log: Log
  /** Where the account's acquirer is played; for accounts of kind simulator alone. */
  readonly simulator?: AcquirerSimulator
  /** Default: connect 3 s, one call 12 s. */
  readonly limits?: Partial<OutboundLimits>
}

export interface AcquirerSimulator {
  /** `https://127.0.0.1:<port>` */
  readonly origin: string
  /** Where it answers queries, if elsewhere. */
  readonly queryOrigin?: string
  /** Its authority, as PEM: trusted by this account alone. */
  readonly caPem: string
}

/** One account at its acquirer. Keeps its budget of calls. */
export interface AcquirerConnection {
  readonly acquirer: Acquirer
  readonly notices: AcquirerNotices
  /** What `cofre account test` does without a card, in order. Each asks a person first. */
  readonly steps: readonly AccountTestStep[]
}

/** What arrives at the account's notice address: anybody may have sent it. */
export interface AcquirerNotices {
  read(body: unknown): NoticeReading
  /** Whether an event agrees with what is held of its payment. */
  fit(event: AcquirerEvent, held: HeldPayment): EventFit
}

export type NoticeReading =
  /** Not of this provider's form: kept nowhere. */
  | { readonly kind: 'none' }
  /** Unsigned: each payment is to be found at the acquirer. */
  | { readonly kind: 'hints'; readonly paymentIds: readonly string[] }
  /** Signed. `refused`: how many items were forged, damaged or of another account. */
  | { readonly kind: 'events'; readonly events: readonly AcquirerEvent[]; readonly refused: number }

/** What is known of a payment and its refunds. */
export interface HeldPayment {
  readonly reference: string
  /** Undefined when its answer has not arrived. */
  readonly paymentId: string | undefined
  readonly chargedMinor: MinorUnits
  readonly refunds: readonly HeldRefund[]
}

export interface HeldRefund {
  readonly reference: string
  readonly returnId: string | undefined
  readonly amountMinor: MinorUnits
}

export type EventFit =
  | { readonly kind: 'payment' }
  /** About the refund of that reference. */
  | { readonly kind: 'refund'; readonly reference: string }
  /** Money went back that nobody here has asked for. */
  | { readonly kind: 'foreign_refund' }
  /** Another payment, amount or refund than ours: it changes nothing. */
  | { readonly kind: 'contradiction' }
