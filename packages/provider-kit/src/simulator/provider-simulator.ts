import type { Clock } from '@cofre/contracts'
import type { AccountAnswers, ProviderAccount } from '../account/index.js'
import type { Authority, RandomBytes } from './authority/authority.js'

/** A provider that `npm start` plays, over real HTTPS, for accounts of kind simulator. */
export interface ProviderSimulator {
  /** For the log, like `the simulated Adyen`. */
  readonly title: string
  /** Where it keeps its books, below the data directory's `simulators`; default: its name. */
  readonly folder?: string
  /** Whether its notices come with a certificate, without which no caller gets through. */
  readonly showsCertificate: boolean
  /** The test store's account with it. */
  readonly testAccount: TestAccount
  start(options: SimulatorOptions): Promise<RunningSimulator>
}

export interface TestAccount {
  readonly label: string
  /** The brand whose cards go to it first; without, all cards that no other account takes. */
  readonly brand?: string
  /** @param id - Of the account: unique, letters, digits and hyphens. */
  readonly settings: (id: string) => ProviderAccount['settings']
}

export interface SimulatorOptions {
  /** Made for its owner alone. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** Where people reach its page, which somebody else listens for; without, it listens itself. */
  readonly pageUrl?: string
}

export interface RunningSimulator {
  readonly pageUrl: string
  /** Answers a request to the page. */
  readonly page: (request: Request) => Response | Promise<Response>
  /** What its callers must trust, as PEM. */
  readonly authority: string
  /** Where it answers: `https://127.0.0.1:<port>`; queries elsewhere, where it says so. */
  readonly origin: string
  readonly queryOrigin?: string
  /** A certificate of its authority for a receiver of notices. */
  issue: Authority['issue']
  /** Opens an account, once for each start; what it is entered with is the same each time. */
  openAccount(account: SimulatedAccount): Promise<SimulatedEntry>
  stop(): Promise<void>
}

export interface SimulatedAccount extends Pick<ProviderAccount, 'id' | 'settings'> {
  /** Where its notices go. */
  readonly noticeUrl: string
}

/** What a person would enter of an account. */
export interface SimulatedEntry {
  readonly profile: string
  readonly answers: AccountAnswers
}
