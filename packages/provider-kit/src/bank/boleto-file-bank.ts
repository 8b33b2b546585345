import type { MinorUnits } from '@cofre/contracts'
import type { BoletoBank, BoletoName, BoletoPayer } from './boleto-bank.js'

/** What a bank is asked to do with one boleto, in a remittance file. */
export interface BoletoInstruction {
  readonly kind: 'register' | 'cancel'
  /** The boleto's own in its account, from 1. */
  readonly number: number
  readonly name: BoletoName
  readonly amountMinor: MinorUnits
  /** `YYYY-MM-DD` */
  readonly dueDate: string
  /** `YYYY-MM-DD` */
  readonly issuedOn: string
  readonly payer: BoletoPayer
}

/** What a bank is asked to do with one file. */
export interface Remittance {
  /** The account's own count of files, from 1. */
  readonly sequence: number
  /** `YYYY-MM-DD` */
  readonly writtenOn: string
  readonly instructions: readonly BoletoInstruction[]
}

/**
 * Boletos at the bank of one account that is told of them by files, and answers by files. The store
 * numbers its boletos itself, and composes what payers pay with before the bank knows of them.
 */
export interface BoletoFileBank extends Pick<BoletoBank, 'minimumMinor' | 'receiver'> {
  /** Three digits. */
  readonly code: string
  /** The greatest number that its fields hold. */
  readonly numberMax: number
  /** `nosso número` with its check digit, as the payer and return files have it. */
  ourNumber(number: number): string
  /** 25 digits of the barcode. */
  freeField(number: number): string
  /** The file's text, ASCII; always the same one of the same remittance. @throws RangeError */
  remittanceFile(remittance: Remittance): string
}

/** An instruction, and what became of it. */
export interface KeptInstruction extends Omit<BoletoInstruction, 'payer'> {
  /** Undefined once the person was taken out of it. */
  readonly payer: BoletoPayer | undefined
  /** It stands in no file, and never will. */
  readonly withdrawn: boolean
  /** Sequence of the file that it stands in. */
  readonly file: number | undefined
}
