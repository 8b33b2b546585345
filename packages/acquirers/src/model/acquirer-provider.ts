import type { Clock, Log, Secret } from '@cofre/contracts'
import type { OutboundLimits } from '@cofre/outbound'
import type { Acquirer, AcquirerNotices } from '@cofre/vault'

/**
 * What an account's money is: `live` moves real money, `test` is a provider's own test system,
 * `simulator` is played by `npm start` on this machine.
 */
export type AccountKind = 'live' | 'test' | 'simulator'

/** An acquirer that stores have accounts with. */
export interface AcquirerProvider {
  /** As accounts name it, `adyen`. */
  readonly name: string
  readonly methods: readonly ['card']
  readonly profiles: readonly AcquirerProfile[]
  /** What is to be known of an account, in the order in which a person is asked. */
  questions(profile: string): readonly AccountQuestion[]
  /**
   * Checks what a person answered.
   * @throws AccountError that names the question; nothing of a secret is in it
   */
  readAccount(entry: AccountEntry): EnteredAccount
  /** Opens nothing before the first call. @throws Error when the account is not one of ours */
  connect(account: AcquirerAccount, tools: AcquirerTools): AcquirerConnection
}

export interface AcquirerProfile {
  /** As accounts name it, `checkout`. */
  readonly name: string
  /** For people. */
  readonly acquirer: string
  readonly kinds: readonly AccountKind[]
  /** What nobody has confirmed: questions for the acquirer. */
  readonly unconfirmed: readonly string[]
}

export interface AccountQuestion {
  /** The answer's name, `apiKey`. */
  readonly name: string
  /** What a person reads, `API key`. */
  readonly text: string
  /** One line of where to find it, or how it looks. */
  readonly help: string
  /** A `secret` is never shown or given as an argument. */
  readonly kind: 'text' | 'secret'
  /** May be left empty. */
  readonly isOptional: boolean
  /** The answer that an account's settings hold; absent of credentials, which alone are rotated. */
  readonly answerIn?: (settings: EnteredAccount['settings']) => string | undefined
}

/** Answers by the questions' names. */
export type AccountAnswers = Readonly<Record<string, string | Secret<string>>>

export interface AccountEntry {
  readonly profile: string
  readonly kind: AccountKind
  readonly answers: AccountAnswers
}

/** What of an account its provider makes. */
export interface EnteredAccount {
  /** What is no secret. */
  readonly settings: Readonly<Record<string, unknown>>
  /** JSON of the provider's schema, to be sealed. */
  readonly credentials: Secret<string>
}

/** An answer that cannot be used. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
  /** Its name. */
  readonly question: string

  constructor(question: string, message: string) {
    super(message)
    this.question = question
  }
}

/** One store's contract with one acquirer. */
export interface AcquirerAccount extends EnteredAccount {
  /** Names the account in the log. */
  readonly id: string
  readonly kind: AccountKind
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
  readonly steps: readonly AcquirerTestStep[]
}

export interface AcquirerTestStep {
  /** `Show the credentials to Adyen` */
  readonly text: string
  /** The sentence that a person reads when it succeeded, or why it did not and what to do. */
  run(): Promise<{ readonly isDone: boolean; readonly said: string }>
}
