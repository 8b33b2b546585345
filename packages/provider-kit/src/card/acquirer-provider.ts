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

/** An acquirer with which stores have accounts. */
export interface AcquirerProvider extends AccountProvider {
  /**
   * Most installments that an account's contract allows for a card of the brand; 0 if the brand
   * isn't charged, undefined if there is no limit.
   */
  installmentsOf(brand: string, settings: ProviderAccount['settings']): number | undefined
  /**
   * Days for which an authorization of a card of the brand can be captured. Absent if charges are
   * always captured at once.
   */
  captureDaysOf?(brand: string, settings: ProviderAccount['settings']): number
  /**
   * Opens nothing before the first call.
   * @throws Error when the account is another provider's
   */
  connect(account: AcquirerAccount, tools: AcquirerTools): AcquirerConnection
}

/** The parts of an account that a connection needs. */
export interface AcquirerAccount extends Pick<ProviderAccount, 'id' | 'kind' | 'settings'> {
  readonly secrets: Pick<AccountSecrets, 'credentials'>
}

export interface AcquirerTools {
  readonly clock: Clock
  readonly log: Log
  /** The account's simulated acquirer; only for accounts of kind simulator. */
  readonly simulator?: AcquirerSimulator
  /** Default: connect 3 s, one call 12 s. */
  readonly limits?: Partial<OutboundLimits>
}

export interface AcquirerSimulator {
  /** `https://127.0.0.1:<port>` */
  readonly origin: string
  /** Origin of queries, if it differs. */
  readonly queryOrigin?: string
  /** Its certificate authority, as PEM: only this account trusts it. */
  readonly caPem: string
}

/** One account at its acquirer. Holds its budget of calls. */
export interface AcquirerConnection {
  readonly acquirer: Acquirer
  readonly notices: AcquirerNotices
  /** The steps of `cofre account test` without a card, in order. A person confirms each first. */
  readonly steps: readonly AccountTestStep[]
}
