import type { Clock } from '@cofre/contracts'
import type { AccountAnswers, ProviderAccount } from '../account/index.js'
import type { Authority, RandomBytes } from './authority/authority.js'

/** A provider that `npm start` simulates, over real HTTPS, for accounts of kind simulator. */
export interface ProviderSimulator {
  /** The name in logs, like `the simulated Adyen`. */
  readonly title: string
  /** The folder of its books, below the data directory's `simulators`; default: its name. */
  readonly folder?: string
  /** True if its notices come with a certificate, and receivers refuse callers without it. */
  readonly showsCertificate: boolean
  /** The test store's account with it. */
  readonly testAccount: TestAccount
  start(options: SimulatorOptions): Promise<RunningSimulator>
}

export interface TestAccount {
  readonly label: string
  /** The brand whose cards use it first; if absent, all cards without another account. */
  readonly brand?: string
  /** @param id - The account's id: unique, letters, digits and hyphens. */
  readonly settings: (id: string) => ProviderAccount['settings']
}

export interface SimulatorOptions {
  /** Created for its owner alone. */
  readonly folder: string
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  /** The page's address if the caller serves it; if absent, the simulator listens itself. */
  readonly pageUrl?: string
}

export interface RunningSimulator {
  readonly pageUrl: string
  readonly page: (request: Request) => Response | Promise<Response>
  /** The authority that its callers must trust, as PEM. */
  readonly authority: string
  /** The origin of its API: `https://127.0.0.1:<port>`; queries may have another one. */
  readonly origin: string
  readonly queryOrigin?: string
  /** A certificate of its authority for a receiver of notices. */
  issue: Authority['issue']
  /** Opens an account, at each start; the returned entry is the same each time. */
  openAccount(account: SimulatedAccount): Promise<SimulatedEntry>
  stop(): Promise<void>
}

export interface SimulatedAccount extends Pick<ProviderAccount, 'id' | 'settings'> {
  /** The address of its notices. */
  readonly noticeUrl: string
}

/** A person's entry about an account. */
export interface SimulatedEntry {
  readonly profile: string
  readonly answers: AccountAnswers
}
