import type { AccountProvider, AccountTestStep, ProviderAccount } from '../account/index.js'
import type { Clock, Log } from '@cofre/contracts'
import type { AccountBank } from './account-bank.js'

/** A bank, or a standard that banks speak, that stores have accounts with. */
export interface BankProvider extends AccountProvider {
  /** The bank cannot be asked: its return files are its word, and nothing else is. */
  readonly answersByFile?: true
  /** Opens nothing before the first call. @throws Error when the account is not one of ours */
  connect(account: ProviderAccount, tools: BankTools): BankConnection
}

/** What connections are made with. */
export interface BankTools {
  readonly clock: Clock
  readonly log: Log
  /** A uniform integer from 0 up to, not including, its argument. */
  readonly randomBelow: (limit: number) => number
  /** Where `npm start` plays the account's bank; for accounts of kind simulator alone. */
  readonly simulator?: BankSimulator
}

export interface BankSimulator {
  /** `https://127.0.0.1:<port>` */
  readonly origin: string
  /** Its authority, as PEM: trusted by this account alone. */
  readonly caPem: string
}

/** One account at its bank. Keeps its access token and its budget of calls. */
export interface BankConnection extends AccountBank {
  readonly notices: BankNotices
  /** What `cofre account test` does, in order. Each asks a person first. */
  readonly steps: readonly AccountTestStep[]
  close(): Promise<void>
}

/** Where the bank calls when something becomes of a charge. */
export interface BankNotices {
  /** Our names of the charges that a notice is about; undefined when it is none. */
  namesIn(body: unknown): readonly string[] | undefined
  /** Reads first. Another system's address is kept, unless it is to be replaced. */
  register(address: NoticeAddress): Promise<NoticeRegistration>
  /** Takes our address away, and no other. */
  remove(url: string): Promise<NoticeRegistration>
}

export interface NoticeAddress {
  /** HTTPS; the bank appends what it appends. */
  readonly url: string
  readonly others: 'keep' | 'replace'
  /** Whether a proxy before us refuses callers without the bank's certificate. */
  readonly bankCertificate: 'checked' | 'unchecked'
}

export type NoticeRegistration =
  | { readonly kind: 'done' }
  /** Another system's address stands there; without its path, which may hold a secret. */
  | { readonly kind: 'occupied'; readonly origin: string }
  | { readonly kind: 'failed'; readonly detail: string }
