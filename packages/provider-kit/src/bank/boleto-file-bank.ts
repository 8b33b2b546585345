import type { MinorUnits } from '@cofre/contracts'
import type { BoletoBank, BoletoName, BoletoPayer } from './boleto-bank.js'

/** One boleto's order to a bank, in a remittance file. */
export interface BoletoInstruction {
  readonly kind: 'register' | 'cancel'
  /** The boleto's own number in its account, from 1. */
  readonly number: number
  readonly name: BoletoName
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  /** `YYYY-MM-DD` */
  readonly issuedOn: string
  readonly payer: BoletoPayer
}

/** One file of orders to a bank. */
export interface Remittance {
  /** The account's own count of files, from 1. */
  readonly sequence: number
  /** `YYYY-MM-DD` */
  readonly writtenOn: string
  readonly instructions: readonly BoletoInstruction[]
}

/**
 * Boletos at the bank of one account that exchanges files. The store numbers its boletos itself,
 * and composes the payer's codes before the bank registers them.
 */
export interface BoletoFileBank extends Pick<BoletoBank, 'minimumMinor' | 'receiver'> {
  /** Three digits. */
  readonly code: string
  /** The greatest number that fits its fields. */
  readonly numberMax: number
  /** `nosso número` with its check digit, as for the payer and in return files. */
  ourNumber(number: number): string
  /** 25 digits of the barcode. */
  freeField(number: number): string
  /**
   * The file's ASCII text; always the same for the same remittance.
   * @throws RangeError
   */
  remittanceFile(remittance: Remittance): string
}

/** An instruction, and its progress. */
export interface KeptInstruction extends Omit<BoletoInstruction, 'payer'> {
  /** Undefined once the payer's data was erased. */
  readonly payer: BoletoPayer | undefined
  /** The instruction is in no file, and never will be. */
  readonly withdrawn: boolean
  /** Sequence of the file that contains it. */
  readonly file: number | undefined
}
