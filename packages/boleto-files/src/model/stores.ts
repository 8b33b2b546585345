import type { TransactionCode } from '@cofre/gateway/room'
import type {
  BoletoName,
  BoletoOrder,
  KeptInstruction,
  NamedLine,
  Remittance,
} from '@cofre/provider-kit/bank'
import type { MatchedLine } from './return-answer.js'

/** A boleto that a bank must register. */
export interface NewInstruction {
  readonly accountId: string
  readonly order: BoletoOrder
  /** `YYYY-MM-DD` */
  readonly issuedOn: string
}

/** The account and name of a boleto. */
export interface OfBoleto {
  readonly accountId: string
  readonly name: BoletoName
}

/** The boleto instructions for banks that work by files. */
export interface InstructionStore {
  /**
   * Commits the instruction to register a boleto, under the account's next number. A number belongs
   * to one boleto for ever, and each name has one number.
   */
  register(order: NewInstruction): Promise<KeptInstruction>
  /** The instruction to register the boleto. */
  find(boleto: OfBoleto): Promise<KeptInstruction | undefined>
  /**
   * Withdraws a boleto that is in no file; for another, commits one instruction to cancel it.
   * Returns the boleto as it is afterwards.
   */
  cancel(boleto: OfBoleto): Promise<KeptInstruction | undefined>
}

/** A committed remittance. */
export interface CreatedRemittance extends Remittance {
  /** The file's digest, in hex. */
  readonly sha256: string
  /** True once the operator has the file. */
  readonly isOnDisk: boolean
}

export interface NewRemittance {
  readonly accountId: string
  /** `YYYY-MM-DD`; boletos that were due earlier are not registered any more. */
  readonly today: string
  readonly machineNowMs: number
  /** The digest of the file to write, in hex. */
  readonly digest: (remittance: Remittance) => string
}

/** The number of values that an account's counters skip. */
export interface Skip {
  readonly numbers: number
  readonly files: number
}

/** A file's lines, to be stored. */
export interface ReturnFileLines {
  readonly accountId: string
  readonly lines: readonly MatchedLine[]
  readonly machineNowMs: number
}

/** Transactions by name or number. */
export type Codes = ReadonlyMap<string, TransactionCode>

/** Banks' reports on boletos in return files, each line once. */
export interface ReturnLineStore {
  /**
   * Stores all lines, or none. A known line stays as it is, unless it belonged to no boleto before.
   * Returns the names of lines that are new, to exactly one caller.
   */
  insert(file: ReturnFileLines): Promise<ReadonlySet<string>>
  /** The lines about a boleto. */
  of(code: TransactionCode): Promise<readonly NamedLine[]>
  /** The account's boletos with these names; a name belongs to one boleto for ever. */
  ofNames(accountId: string, names: readonly string[]): Promise<Codes>
  /**
   * The boletos to which their bank or earlier lines gave these numbers; a number of two boletos is
   * omitted.
   * @param numbers - Without leading zeros.
   */
  ofNumbers(accountId: string, numbers: readonly string[]): Promise<Codes>
}
