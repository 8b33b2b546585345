import type { AccountProvider, AccountTestStep, ProviderAccount } from '../account/index.js'
import type { Clock, Log } from '@cofre/contracts'
import type { AccountBank } from './account-bank.js'

/** A bank, or a banking standard, with which stores have accounts. */
export interface BankProvider extends AccountProvider {
  /** The bank can't be queried: its return files are its only answers. */
  readonly answersByFile?: true
  /**
   * Opens nothing before the first call.
   * @throws Error when the account is another provider's
   */
  connect(account: ProviderAccount, tools: BankTools): BankConnection
}

export interface BankTools {
  readonly clock: Clock
  readonly log: Log
  /** A uniform integer from 0 up to its argument, exclusive. */
  readonly randomBelow: (limit: number) => number
  /** The account's simulated bank; only for accounts of kind simulator. */
  readonly simulator?: BankSimulator
}

export interface BankSimulator {
  /** `https://127.0.0.1:<port>` */
  readonly origin: string
  /** Its certificate authority, as PEM: only this account trusts it. */
  readonly caPem: string
}

/** One account at its bank. Holds its access token and its budget of calls. */
export interface BankConnection extends AccountBank {
  readonly notices: BankNotices
  /** The steps of `cofre account test`, in order. A person confirms each first. */
  readonly steps: readonly AccountTestStep[]
  close(): Promise<void>
}

/** The bank's calls about changes of charges. */
export interface BankNotices {
  /** Our names of the charges that a notice is about; undefined if the body is not a notice. */
  namesIn(body: unknown): readonly string[] | undefined
  /** Reads first. Keeps another system's address unless `others` is `replace`. */
  register(address: NoticeAddress): Promise<NoticeRegistration>
  /** Removes only our address. */
  remove(url: string): Promise<NoticeRegistration>
}

export interface NoticeAddress {
  /** HTTPS; some banks append a path. */
  readonly url: string
  readonly others: 'keep' | 'replace'
  /** `checked` if a proxy before us refuses callers without the bank's certificate. */
  readonly bankCertificate: 'checked' | 'unchecked'
}

export type NoticeRegistration =
  | { readonly kind: 'done' }
  /** Another system's address is registered; without its path, which may contain a secret. */
  | { readonly kind: 'occupied'; readonly origin: string }
  | { readonly kind: 'failed'; readonly detail: string }
