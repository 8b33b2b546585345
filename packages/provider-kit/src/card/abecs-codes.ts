import { isDeepStrictEqual } from 'node:util'
import type { DeclineReason } from '@cofre/contracts'

/** The owner of codes: Amex has its own, and Cielo has others for Amex. */
type ListedTable = 'elo' | 'visa' | 'mastercard' | 'amex' | 'amex_at_cielo'
/** `others` are brands that ABECS does not list. */
export type CodeTable = ListedTable | 'others'

type Row = readonly [
  reason: DeclineReason,
  mayRetry: 'yes' | 'no',
  elo: string,
  visa: string,
  mastercard: string,
  amex: string,
  amexAtCielo: string,
]

const COLUMNS: Readonly<Record<ListedTable, number>> = {
  elo: 2,
  visa: 3,
  mastercard: 4,
  amex: 5,
  amex_at_cielo: 6,
}

/** ABECS, Normativo 21 V3: what the brands' codes mean, and whether they allow a retry. */
export const ABECS_ROWS: readonly Row[] = [
  ['generic', 'yes', '5', '5', '5', '100', 'FA'],
  ['insufficient_funds', 'yes', '51', '51', '51', '116', 'A5'],
  ['insufficient_funds', 'yes', '51', '51', '51', '121', 'A5'],
  ['pin_invalid', 'yes', '55', '55 86', '55', '117', 'A6'],
  ['not_permitted', 'yes', '', '', '57', '', 'FD'],
  ['not_permitted', 'no', '57', '57', '', '200', ''],
  ['invalid_card_number', 'no', '14 56', '14', '14 1', '122', '8'],
  ['security_code_invalid', 'no', '63', 'N7', '', '122', '8'],
  ['security_code_invalid', 'yes', '', '', '63', '', ''],
  ['suspected_fraud', 'yes', '59', '59', '63', '100', 'FA'],
  ['merchant_problem', 'no', '58', '3', '3', '109', 'DA'],
  ['system_failure', 'yes', '4', '', '', '', ''],
  ['merchant_problem', 'yes', '6', '', '', '', ''],
  ['merchant_problem', 'no', '19', '19', '30', '', ''],
  ['invalid_card_number', 'no', '12', '6', '', '115', 'A2'],
  ['merchant_problem', 'no', '30', '12', '30', '181', 'A3'],
  ['invalid_amount', 'no', '13', '13', '13', '110', 'JB'],
  ['invalid_installments', 'no', '23', '', '12', '115', 'A2'],
  ['attempts_exceeded', 'yes', '38', '75', '75', '106', 'A4'],
  ['lost_card', 'no', '41', '41', '41', '200', 'FD'],
  ['stolen_card', 'no', '43', '43', '43', '200', 'FD'],
  ['expired_card', 'no', '54', '54', '54', '101', 'BV'],
  ['merchant_problem', 'no', '57', '58', '58', '', ''],
  ['amount_limit_exceeded', 'yes', '61', '61 N4', '61', '', ''],
  ['card_blocked', 'yes', '62', '62', '57', '', ''],
  ['not_permitted_abroad', 'no', '62', '', '62', '', ''],
  ['not_permitted_abroad', 'yes', '', '62', '', '', ''],
  ['invalid_amount', 'no', '64', '', '13', '', ''],
  ['amount_limit_exceeded', 'yes', '65', '65', '65', '', ''],
  ['security_code_invalid', 'no', '83', '74 81', '88', '180', 'A7'],
  ['attempts_exceeded', 'yes', '75', '75', '75', '106', 'A4'],
  ['invalid_card_number', 'no', '76', '', '', '', ''],
  ['invalid_card_number', 'no', '77', '', '', '', ''],
  ['card_not_unblocked', 'yes', '78', '78', '57', '', ''],
  ['security_code_invalid', 'no', '82', '82', '88', '180', 'A7'],
  ['issuer_unavailable', 'yes', '91', '91', '91', '912', 'A1'],
  ['system_failure', 'yes', '96', '96', '96', '911', 'AE'],
  ['invalid_amount', 'no', '', 'N8', '', '', ''],
  ['wrong_function', 'yes', 'AB', '52 53', '', '', ''],
  ['wrong_function', 'yes', 'AC', '39', '', '', ''],
  ['pin_invalid', 'no', 'P5', '', '', '', ''],
  ['pin_invalid', 'yes', 'P6', '', '55', '', ''],
  ['card_blocked', 'no', '', '4', '4', '', ''],
  ['security_code_invalid', 'no', '', 'N7', '', '', ''],
  ['suspected_fraud', 'no', '57', '7', '4', '200', 'FD'],
  ['issuer_not_found', 'no', '', '15', '15', '', ''],
  ['legal_restriction', 'no', '', '64', '', '', ''],
  ['system_failure', 'no', '', '76', '', '', ''],
  ['issuer_not_found', 'no', '', '92', '92', '', ''],
  ['legal_restriction', 'no', '57', '93', '62', '', ''],
  ['system_failure', 'no', '', '94', '94', '', ''],
  ['generic', 'yes', '', 'B1', '', '', ''],
  ['generic', 'yes', '', 'B2', '', '', ''],
  ['system_failure', 'yes', '', 'N0', '', '', ''],
  ['system_failure', 'no', '', 'N3', '', '', ''],
  ['recurring_stopped', 'no', '', 'R0', '', '', ''],
  ['recurring_stopped', 'no', '', 'R1', '', '', ''],
  ['pin_invalid', 'no', '', 'R2', '', '', ''],
  ['recurring_stopped', 'no', '', 'R3', '', '', ''],
  ['account_closed', 'no', '46', '46', '62', '', ''],
  ['authentication_required', 'no', '', '6P', '', '', ''],
  ['not_permitted', 'no', 'FM', '', '', '', ''],
]

interface CodeChange {
  readonly table: CodeTable
  readonly code: string
  /** Words in the answer that this meaning requires; the first matching change counts. */
  readonly words?: readonly string[]
  readonly meaning: CodeMeaning
}

const ABROAD = ['internac', 'internat', 'exterior', 'abroad']

/** Changes by the brands since that table; each replaces all its rows of the code. */
export const CODE_CHANGES: readonly CodeChange[] = [
  {
    table: 'elo',
    code: '62',
    words: ABROAD,
    meaning: { reason: 'not_permitted_abroad', mayRetry: false },
  },
  { table: 'elo', code: '62', meaning: { reason: 'card_blocked', mayRetry: true } },
  { table: 'elo', code: '5C', meaning: { reason: 'not_permitted', mayRetry: true } },
]

/** The table of a brand's issuers. */
export function codeTableOf(brand: string, amex: 'amex' | 'amex_at_cielo'): CodeTable {
  switch (brand) {
    case 'elo':
    case 'visa':
    case 'mastercard':
      return brand
    case 'hipercard':
      return 'mastercard'
    case 'amex':
      return amex
    default:
      return 'others'
  }
}

export interface CodeMeaning {
  readonly reason: DeclineReason
  readonly mayRetry: boolean
}

/**
 * The meaning of a brand's code; undefined for codes that its table lacks.
 * @param words - The answer's text beside the code.
 */
export function meaningOf(table: CodeTable, code: string, words = ''): CodeMeaning | undefined {
  const bare = code.replace(/^0+(?=.)/, '')
  const lowerCase = words.toLowerCase()
  const change = CODE_CHANGES.find(
    (one) =>
      one.table === table &&
      one.code === bare &&
      (one.words?.some((word) => lowerCase.includes(word)) ?? true),
  )
  if (change !== undefined) return change.meaning
  return table === 'others' ? agreedMeaning(bare) : meaningByAbecs(table, bare)
}

/** Elo, Visa and Mastercard mean the same by the codes of ISO 8583, which other brands share. */
function agreedMeaning(bare: string): CodeMeaning | undefined {
  const [first, ...others] = (['elo', 'visa', 'mastercard'] as const).map((table) =>
    meaningByAbecs(table, bare),
  )
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined
}

/** A code may have several rows: the first gives the reason, and any row may forbid a retry. */
function meaningByAbecs(table: ListedTable, bare: string): CodeMeaning | undefined {
  const rows = ABECS_ROWS.filter((row) => row[COLUMNS[table]]?.split(' ').includes(bare))
  const [first] = rows
  if (first === undefined || bare === '') return undefined
  return { reason: first[0], mayRetry: rows.every(([, mayRetry]) => mayRetry === 'yes') }
}
