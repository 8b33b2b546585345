import type { MerchantApiError, WireError } from '@cofre/merchant'

/** Why a refund was not asked for, or not taken. `outcome_unknown`: it was asked for and nobody knows what became of it. */
export type RefundProblem =
  | 'amount_invalid'
  | 'amount_too_high'
  | 'reference_too_long'
  | 'reference_used'
  | 'already_running'
  | 'method_refuses'
  | 'not_allowed'
  | 'not_found'
  | 'not_paid'
  | 'too_late'
  | 'whole_amount_only'
  | 'invalid'
  | 'try_later'
  | 'outcome_unknown'

/** Problems by code (specification, section 7.6). */
const PROBLEM_CODES: ReadonlyMap<number, RefundProblem> = new Map([
  [20604, 'not_found'],
  [20605, 'method_refuses'],
  [20607, 'already_running'],
  [20608, 'amount_too_high'],
  [20609, 'amount_too_high'],
  [20612, 'not_allowed'],
  [20613, 'not_allowed'],
  [20614, 'not_found'],
  [20615, 'not_paid'],
  [20621, 'too_late'],
  [20622, 'whole_amount_only'],
  [20698, 'invalid'],
])

/** The first reason there are words for. */
export function explainRefundRefusal({ errors }: MerchantApiError): RefundProblem {
  for (const error of errors) {
    const problem = problemOf(error)
    if (problem !== undefined) return problem
  }
  return 'try_later'
}

function problemOf({ code, property, constraint }: WireError): RefundProblem | undefined {
  if (code === 20698 && property === 'amount') return 'amount_invalid'
  if (code === 20698 && property === 'reference')
    return constraint === 'unique' ? 'reference_used' : 'reference_too_long'
  return PROBLEM_CODES.get(code)
}
