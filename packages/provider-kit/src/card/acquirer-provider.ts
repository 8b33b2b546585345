import type {
  AccountProvider,
  AccountSecrets,
  AccountTestStep,
  ProviderAccount,
} from '../account/index.js'
import type { Clock, Log } from '@cofre/contracts'
import type { OutboundLimits } from '../outbound/index.js'
import type { Acquirer } from './acquirer.js'
import type { AcquirerNotices } from './acquirer-notices.js'

/** An acquirer that stores have accounts with. */
export interface AcquirerProvider extends AccountProvider {
  /**
   * In how many installments it charges a card of the brand at most, by the contract of an account:
   * 0 where it charges none, and undefined where it names no bound.
   */
  installmentsOf(brand: string, settings: ProviderAccount['settings']): number | undefined
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
