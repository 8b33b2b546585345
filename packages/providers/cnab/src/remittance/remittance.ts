import type { BoletoInstruction, BoletoPayer, Remittance } from '@cofre/provider-kit/bank'
import { blanks, digits, record } from './remittance-record.js'

/** A store's contract with a bank, for remittance files and barcodes. Only digits. */
export interface CnabContract {
  /** Four digits. */
  readonly agency: string
  /** Check digit. */
  readonly agencyDigit: string
  readonly account: string
  readonly accountDigit: string
  /** Bradesco's code of the company, or Sicoob's of the beneficiary with its check digit. */
  readonly agreement: string
  /** `carteira` */
  readonly wallet: string
  readonly receiver: { readonly name: string; readonly document: string }
}

/** A bank's numbers of boletos, and its format of instructions. */
export interface CnabBank {
  /** Three digits. */
  readonly code: string
  /** The greatest number that fits its fields. */
  readonly numberMax: number
  /** `nosso número` with its check digit, as for the payer and in return files. */
  ourNumber(contract: CnabContract, number: number): string
  /** 25 digits of the barcode. @throws RangeError when a number does not fit */
  freeField(contract: CnabContract, number: number): string
  header(contract: CnabContract, file: Remittance): string
  /** @param line - Number of the record in its file, from 1. */
  detail(contract: CnabContract, instruction: BoletoInstruction, line: number): string
}

/** Codes of instructions, the same in files of both banks. */
export const COMMANDS = { register: '01', cancel: '02' } as const

/** CNAB 400 requires the carriage return, too. */
const LINE_END = '\r\n'

/** The whole file; ASCII. @throws RangeError when a value does not fit its columns */
export function remittanceFile(
  bank: CnabBank,
  contract: CnabContract,
  remittance: Remittance,
): string {
  const { instructions } = remittance
  if (instructions.some(({ number }) => number > bank.numberMax))
    throw new RangeError(`numbers of bank ${bank.code} end at ${bank.numberMax}`)
  const lines = [
    bank.header(contract, remittance),
    ...instructions.map((one, index) => bank.detail(contract, one, index + 2)),
    trailer(instructions.length + 2),
  ]
  return lines.map((line) => line + LINE_END).join('')
}

/** @param line - Number of the record in its file, from 1. */
function trailer(line: number): string {
  return record([digits(1, 1, 9), blanks(2, 394), digits(395, 400, line)])
}

/** CNAB 400's code for CPF or CNPJ. */
export function documentKind(document: string): '01' | '02' {
  return document.length === CPF_LENGTH ? '01' : '02'
}

const CPF_LENGTH = 11

/** Street, number and complement in one line. */
export function streetLine({ address }: BoletoPayer): string {
  const { street, number, complement } = address
  return [street, number, complement].filter((part) => part !== undefined && part !== '').join(' ')
}
