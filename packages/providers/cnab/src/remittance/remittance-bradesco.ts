// Bradesco, CNAB 400. Positions come from the bank's manual "Layout de Arquivo Cobrança".
import { type BoletoInstruction, weightedSum } from '@cofre/provider-kit/bank'
import {
  COMMANDS,
  type CnabBank,
  type CnabContract,
  documentKind,
  streetLine,
} from './remittance.js'
import { type Column, blanks, digits, letters, record, shortDate } from './remittance-record.js'

const NUMBER_LENGTH = 11
/** The document field, ten columns wide, also contains the number. */
const DOCUMENT_LENGTH = 10

export const BRADESCO: CnabBank = {
  code: '237',
  numberMax: Number('9'.repeat(DOCUMENT_LENGTH)),

  ourNumber: (contract, number) => numberText(number) + checkDigit(contract, number),

  freeField: ({ agency, account, wallet }, number) =>
    agency.padStart(4, '0') + wallet + numberText(number) + account.padStart(7, '0') + '0',

  header: ({ agreement, receiver }, { sequence, writtenOn }) =>
    record([
      digits(1, 1, 0),
      digits(2, 2, 1),
      letters(3, 9, 'REMESSA'),
      digits(10, 11, 1),
      letters(12, 26, 'COBRANCA'),
      digits(27, 46, agreement),
      letters(47, 76, receiver.name),
      digits(77, 79, '237'),
      letters(80, 94, 'BRADESCO'),
      shortDate(95, 100, writtenOn),
      blanks(101, 108),
      letters(109, 110, 'MX'),
      digits(111, 117, sequence),
      blanks(118, 394),
      digits(395, 400, 1),
    ]),

  detail: (contract, instruction, line) =>
    record([
      digits(1, 1, 1),
      // For a direct debit, which is not requested.
      digits(2, 20, 0),
      ...titleColumns(contract, instruction),
      ...payerColumns(instruction),
      digits(395, 400, line),
    ]),
}

function titleColumns(contract: CnabContract, instruction: BoletoInstruction): readonly Column[] {
  const { account, accountDigit, agency, wallet } = contract
  const { amountMinor, dueDate, issuedOn, kind, name, number } = instruction
  return [
    digits(21, 21, 0),
    digits(22, 24, wallet),
    digits(25, 29, agency),
    digits(30, 36, account),
    digits(37, 37, accountDigit),
    letters(38, 62, name),
    digits(63, 65, 0),
    // No fine.
    digits(66, 66, 0),
    digits(67, 70, 0),
    digits(71, 81, number),
    digits(82, 82, checkDigit(contract, number)),
    digits(83, 92, 0),
    // The store prints the slip, and no debit is announced.
    digits(93, 93, 2),
    letters(94, 94, 'N'),
    blanks(95, 105),
    digits(106, 106, 2),
    blanks(107, 108),
    digits(109, 110, COMMANDS[kind]),
    digits(111, 120, number),
    shortDate(121, 126, dueDate),
    digits(127, 139, amountMinor),
    digits(140, 142, 0),
    digits(143, 147, 0),
    // Duplicata mercantil, without acceptance.
    digits(148, 149, 1),
    letters(150, 150, 'N'),
    shortDate(151, 156, issuedOn),
    // No protest; written off by the agreement's terms. No interest, discount, tax or rebate.
    digits(157, 158, 0),
    digits(159, 160, 0),
    digits(161, 173, 0),
    digits(174, 179, 0),
    digits(180, 192, 0),
    digits(193, 205, 0),
    digits(206, 218, 0),
  ]
}

/** The postal code implies the city. */
function payerColumns({ payer }: BoletoInstruction): readonly Column[] {
  return [
    digits(219, 220, documentKind(payer.document)),
    digits(221, 234, payer.document),
    letters(235, 274, payer.name),
    letters(275, 314, streetLine(payer)),
    blanks(315, 326),
    digits(327, 334, payer.address.postalCode),
    blanks(335, 394),
  ]
}

function numberText(number: number): string {
  return String(number).padStart(NUMBER_LENGTH, '0')
}

/** Modulus 11 of wallet and number, with weights 2 to 7 from the right; 10 becomes P. */
function checkDigit({ wallet }: CnabContract, number: number): string {
  const rest = weightedSum(wallet + numberText(number), [2, 3, 4, 5, 6, 7]) % 11
  if (rest === 1) return 'P'
  return rest === 0 ? '0' : String(11 - rest)
}
