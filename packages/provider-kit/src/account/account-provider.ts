import type { Secret } from '@cofre/contracts'
import type { AccountKind, AccountMethod, AccountSecrets, ProviderAccount } from './account.js'
import type { RuleInForce } from './rule-in-force.js'

/** A bank, an acquirer or a shared standard, with which stores have accounts. */
export interface AccountProvider {
  /** The name in accounts, `pix-api`. */
  readonly name: string
  /** Methods that its accounts can serve; a new account serves the first by default. */
  readonly methods: readonly [AccountMethod, ...AccountMethod[]]
  readonly profiles: readonly AccountProfile[]
  /** The provider's own rules that the code follows; `cofre doctor --rules` shows them. */
  readonly rules: readonly RuleInForce[]
  /** The questions about an account, in the order in which a person answers them. */
  questions(profile: string): readonly AccountQuestion[]
  /**
   * Checks a person's answers.
   * @throws AccountError that names the question and contains no secret
   */
  readAccount(entry: AccountEntry): EnteredAccount
}

export interface AccountProfile {
  /** The name in accounts, `efi`. */
  readonly name: string
  /** The bank's or acquirer's name, for people. */
  readonly company: string
  readonly kinds: readonly AccountKind[]
  /** Unconfirmed facts: questions to ask the company. */
  readonly unconfirmed: readonly string[]
}

export interface AccountQuestion {
  /** The answer's name, `clientSecret`. */
  readonly name: string
  /** The shown label, `Client secret`. */
  readonly text: string
  /** One line about where to find the answer, or its format. */
  readonly help: string
  /**
   * A `secret` is never shown or given as an argument; for a `file`, the person enters its path.
   */
  readonly kind: 'text' | 'secret' | 'file'
  readonly isOptional: boolean
  /** The answer in an account's settings; absent for credentials, which only a rotation changes. */
  readonly answerIn?: (settings: ProviderAccount['settings']) => string | undefined
}

/** Answers by the questions' names; for a file, its bytes. */
export type AccountAnswers = Readonly<Record<string, string | Secret<string> | Uint8Array>>

export interface AccountEntry {
  readonly profile: string
  readonly kind: AccountKind
  readonly answers: AccountAnswers
  readonly nowMs: number
}

/** The part of an account that its provider makes. */
export interface EnteredAccount
  extends
    Pick<ProviderAccount, 'settings' | 'certificateUntilMs'>,
    Pick<AccountSecrets, 'credentials'> {}

/** An answer that cannot be used. */
export class AccountError extends Error {
  override readonly name = 'AccountError'
  /** The question's name. */
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
  /** The step runs if the account serves this method; if absent, always. */
  readonly method?: AccountMethod
  /** Undoes earlier steps: runs at the end even if one of them failed. */
  readonly isCleanup?: boolean
  /** A sentence for the person: the success, or why the step failed and what to do. */
  run(): Promise<{ readonly isDone: boolean; readonly detail: string }>
}
