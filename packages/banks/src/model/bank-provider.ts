import type { Clock, Log, Secret } from '@cofre/contracts'
import type {
  AccountKind,
  AccountMethod,
  AccountSecrets,
  PixBank,
  ProviderAccount,
} from '@cofre/gateway'

/** A bank, or a standard that banks speak, that stores have accounts with. */
export interface BankProvider {
  /** As accounts name it, `pix-api`. */
  readonly name: string
  readonly methods: readonly AccountMethod[]
  readonly profiles: readonly BankProfile[]
  /** What is to be known of an account, in the order in which a person is asked. */
  questions(profile: string): readonly AccountQuestion[]
  /**
   * Checks what a person answered.
   * @throws AccountError that names the question; nothing of a secret is in it
   */
  readAccount(entry: AccountEntry): EnteredAccount
  /** Opens nothing before the first call. @throws Error when the account is not one of ours */
  connect(account: ProviderAccount, tools: BankTools): BankConnection
}

export interface BankProfile {
  /** As accounts name it, `efi`. */
  readonly name: string
  /** For people. */
  readonly bank: string
  readonly kinds: readonly AccountKind[]
  /** What nobody has confirmed: questions for the bank. */
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
export interface BankConnection {
  readonly pix: PixBank
  readonly notices: BankNotices
  /** What `cofre account test` does, in order. Each asks a person first. */
  readonly steps: readonly BankTestStep[]
  close(): Promise<void>
}

export interface BankTestStep {
  /** `Open a charge of R$ 0.01` */
  readonly text: string
  /** Takes away what earlier steps left: done at the end also when one of them failed. */
  readonly isCleanup?: boolean
  /** The sentence that a person reads when it succeeded, or why it did not and what to do. */
  run(): Promise<{ readonly isDone: boolean; readonly said: string }>
}

/** Where the bank calls when something becomes of a charge. */
export interface BankNotices {
  /** The names of the charges that a notice is about; undefined when it is none. */
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
