import type { TransactionCode } from '@cofre/gateway/room'
import type {
  BoletoName,
  BoletoOrder,
  KeptInstruction,
  NamedLine,
  Remittance,
} from '@cofre/provider-kit/bank'
import type { MatchedLine } from './return-answer.js'

/** A boleto that a bank is to be told of. */
export interface NewInstruction {
  readonly accountId: string
  readonly order: BoletoOrder
  /** `YYYY-MM-DD` */
  readonly issuedOn: string
}

/** Whose boleto at which account. */
export interface OfBoleto {
  readonly accountId: string
  readonly name: BoletoName
}

/** What banks that are told by files are asked to do with boletos. */
export interface InstructionStore {
  /**
   * Commits that a bank is to register a boleto, under the account's next number. A number is one
   * boleto's for ever, and one name has one number.
   */
  register(order: NewInstruction): Promise<KeptInstruction>
  /** What the bank is, or was, to register. */
  find(boleto: OfBoleto): Promise<KeptInstruction | undefined>
  /**
   * Withdraws a boleto of which no file tells; of another, commits that the bank is to cancel it,
   * once. Returns the boleto as it then is.
   */
  cancel(boleto: OfBoleto): Promise<KeptInstruction | undefined>
}

/** A remittance that was committed. */
export interface MadeRemittance extends Remittance {
  /** Of its file, in hex. */
  readonly sha256: string
  /** Whether somebody has had it before. */
  readonly isOnDisk: boolean
}

export interface NewRemittance {
  readonly accountId: string
  /** `YYYY-MM-DD`; boletos that were due before it are not registered any more. */
  readonly today: string
  readonly machineNowMs: number
  /** Of the file that will be written, in hex. */
  readonly digest: (remittance: Remittance) => string
}

/** How far the counts of an account go on. */
export interface Skip {
  readonly numbers: number
  readonly files: number
}

/** What the lines of a file are kept with. */
export interface KeptFile {
  readonly accountId: string
  readonly lines: readonly MatchedLine[]
  readonly machineNowMs: number
}

/** Which transaction has which name or number. */
export type Codes = ReadonlyMap<string, TransactionCode>

/** What banks say of boletos in return files, each line once. */
export interface ReturnLineStore {
  /**
   * Keeps all lines, or none. Those that are known stay, but for one that was nobody's. Returns the
   * names of those that say something new, of which any other caller is told none.
   */
  keep(file: KeptFile): Promise<ReadonlySet<string>>
  /** What is known of a boleto. */
  of(code: TransactionCode): Promise<readonly NamedLine[]>
  /** Whose boletos of the account have these names, which each is one's for ever. */
  ofNames(accountId: string, names: readonly string[]): Promise<Codes>
  /**
   * Whose boletos their bank or earlier lines have called so; a number that two have is left out.
   * @param numbers - Bare.
   */
  ofNumbers(accountId: string, numbers: readonly string[]): Promise<Codes>
}
