// Sicoob (Bancoob), CNAB 400. Positions come from the bank's workbook "Layout CNAB 400".
import { type BoletoInstruction, weightedSum } from '@cofre/provider-kit/bank'
import {
  COMMANDS,
  type CnabBank,
  type CnabContract,
  documentKind,
  streetLine,
} from './remittance.js'
import { type Column, blanks, digits, letters, record, shortDate } from './remittance-record.js'

const BANK = '756'
const NUMBER_LENGTH = 7
/** Simple registered collection, of wallet 1. */
const MODALITY = '01'
/** A boleto of a single part. */
const PART = '01'

export const SICOOB: CnabBank = {
  code: BANK,
  numberMax: Number('9'.repeat(NUMBER_LENGTH)),

  ourNumber: numberWithDigit,

  freeField: (contract, number) =>
    contract.wallet +
    contract.agency.padStart(4, '0') +
    MODALITY +
    contract.agreement.padStart(7, '0') +
    numberWithDigit(contract, number) +
    PART.padStart(3, '0'),

  header: ({ agency, agencyDigit, agreement, receiver }, { sequence, writtenOn }) =>
    record([
      digits(1, 1, 0),
      digits(2, 2, 1),
      letters(3, 9, 'REMESSA'),
      digits(10, 11, 1),
      letters(12, 19, 'COBRANCA'),
      blanks(20, 26),
      digits(27, 30, agency),
      digits(31, 31, agencyDigit),
      digits(32, 39, agreement.slice(0, -1)),
      digits(40, 40, agreement.slice(-1)),
      blanks(41, 46),
      letters(47, 76, receiver.name),
      digits(77, 79, BANK),
      letters(80, 94, 'BANCOOBCED'),
      shortDate(95, 100, writtenOn),
      digits(101, 107, sequence),
      blanks(108, 394),
      digits(395, 400, 1),
    ]),

  detail: (contract, instruction, line) =>
    record([
      digits(1, 1, 1),
      ...receiverColumns(contract),
      ...titleColumns(contract, instruction),
      ...payerColumns(instruction),
      digits(395, 400, line),
    ]),
}

function receiverColumns(contract: CnabContract): readonly Column[] {
  const { account, accountDigit, agency, agencyDigit, receiver } = contract
  return [
    digits(2, 3, documentKind(receiver.document)),
    digits(4, 17, receiver.document),
    digits(18, 21, agency),
    digits(22, 22, agencyDigit),
    digits(23, 30, account),
    digits(31, 31, accountDigit),
    digits(32, 37, 0),
  ]
}

function titleColumns(contract: CnabContract, instruction: BoletoInstruction): readonly Column[] {
  const { agency, agencyDigit, wallet } = contract
  const { amountMinor, dueDate, issuedOn, kind, name, number } = instruction
  return [
    letters(38, 62, name),
    digits(63, 74, numberWithDigit(contract, number)),
    digits(75, 76, PART),
    digits(77, 78, 0),
    blanks(79, 85),
    digits(86, 88, 0),
    // Neither a guarantee nor a lot.
    digits(89, 89, 0),
    digits(90, 94, 0),
    digits(95, 95, 0),
    digits(96, 101, 0),
    blanks(102, 105),
    // The store prints the slip.
    digits(106, 106, 2),
    digits(107, 108, wallet),
    digits(109, 110, COMMANDS[kind]),
    digits(111, 120, number),
    shortDate(121, 126, dueDate),
    digits(127, 139, amountMinor),
    digits(140, 142, BANK),
    digits(143, 146, agency),
    digits(147, 147, agencyDigit),
    // Duplicata mercantil, without acceptance.
    digits(148, 149, 1),
    digits(150, 150, 0),
    shortDate(151, 156, issuedOn),
    // No protest; written off by the agreement's terms. No interest, fine or discount.
    digits(157, 158, 0),
    digits(159, 160, 0),
    digits(161, 166, 0),
    digits(167, 172, 0),
    // The store delivers the slip.
    digits(173, 173, 2),
    digits(174, 179, 0),
    digits(180, 192, 0),
    // BRL, without tax or rebate.
    digits(193, 193, 9),
    digits(194, 205, 0),
    digits(206, 218, 0),
  ]
}

function payerColumns({ payer }: BoletoInstruction): readonly Column[] {
  const { city, district, postalCode, state } = payer.address
  return [
    digits(219, 220, documentKind(payer.document)),
    digits(221, 234, payer.document),
    letters(235, 274, payer.name),
    letters(275, 311, streetLine(payer)),
    letters(312, 326, district),
    digits(327, 334, postalCode),
    letters(335, 349, city),
    letters(350, 351, state),
    blanks(352, 391),
    // Days until a protest: the agreement's, if it has any.
    digits(392, 393, 0),
    blanks(394, 394),
  ]
}

/** Modulus 11 of agency, beneficiary and number, with weights 3, 1, 9 and 7 from the left. */
function numberWithDigit({ agency, agreement }: CnabContract, number: number): string {
  const text = String(number).padStart(NUMBER_LENGTH, '0')
  const weighed = agency.padStart(4, '0') + agreement.padStart(10, '0') + text
  // Weights from the right: the last of 21 digits has the first weight.
  const rest = weightedSum(weighed, [3, 7, 9, 1]) % 11
  return text + (rest < 2 ? '0' : String(11 - rest))
}
