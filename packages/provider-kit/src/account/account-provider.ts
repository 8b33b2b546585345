import type { Secret } from '@cofre/contracts'
import type { AccountKind, AccountMethod, AccountSecrets, ProviderAccount } from './account.js'
import type { RuleInForce } from './rule-in-force.js'

/** A bank or an acquirer that stores have accounts with, or a standard that several speak. */
export interface AccountProvider {
  /** As accounts name it, `pix-api`. */
  readonly name: string
  /** What its accounts can serve; a new one serves the first until somebody says otherwise. */
  readonly methods: readonly [AccountMethod, ...AccountMethod[]]
  readonly profiles: readonly AccountProfile[]
  /** Rules of its own that its code follows; `cofre doctor --rules` shows them. */
  readonly rules: readonly RuleInForce[]
  /** What is to be known of an account, in the order in which a person is asked. */
  questions(profile: string): readonly AccountQuestion[]
  /**
   * Checks what a person answered.
   * @throws AccountError that names the question; nothing of a secret is in it
   */
  readAccount(entry: AccountEntry): EnteredAccount
}

export interface AccountProfile {
  /** As accounts name it, `efi`. */
  readonly name: string
  /** The bank or acquirer, for people. */
  readonly company: string
  readonly kinds: readonly AccountKind[]
  /** What nobody has confirmed: questions for the company. */
  readonly unconfirmed: readonly string[]
}

export interface AccountQuestion {
  /** The answer's name, `clientSecret`. */
  readonly name: string
  /** What a person reads, `Client secret`. */
  readonly text: string
  /** One line of where to find it, or how it looks. */
  readonly help: string
  /** A `secret` is never shown or given as an argument; of a `file` the path is asked for. */
  readonly kind: 'text' | 'secret' | 'file'
  /** May be left empty. */
  readonly isOptional: boolean
  /** The answer that an account's settings hold; absent of credentials, which alone are rotated. */
  readonly answerIn?: (settings: ProviderAccount['settings']) => string | undefined
}

/** Answers by the questions' names; of a file, its bytes. */
export type AccountAnswers = Readonly<Record<string, string | Secret<string> | Uint8Array>>

export interface AccountEntry {
  readonly profile: string
  readonly kind: AccountKind
  readonly answers: AccountAnswers
  readonly nowMs: number
}

/** What of an account its provider makes. */
export interface EnteredAccount
  extends
    Pick<ProviderAccount, 'settings' | 'certificateUntilMs'>,
    Pick<AccountSecrets, 'credentials'> {}

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

/** A step of `cofre account test`. */
export interface AccountTestStep {
  /** `Open a charge of R$ 0.01` */
  readonly text: string
  /** Done where the account serves this method; without one, always. */
  readonly method?: AccountMethod
  /** Takes away what earlier steps left: done at the end also when one of them failed. */
  readonly isCleanup?: boolean
  /** The sentence that a person reads when it succeeded, or why it did not and what to do. */
  run(): Promise<{ readonly isDone: boolean; readonly said: string }>
}
