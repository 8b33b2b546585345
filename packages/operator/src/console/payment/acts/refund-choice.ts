import { type MinorUnits, maskCardNumbers, minorUnits } from '@cofre/contracts'
import { REFUND_REASONS, type RefundReason } from '@cofre/gateway/room'
import type { PossibleActs, RefundOrder } from '../../../model/payment-acts.js'
import { readAmount, type Form } from '@cofre/panel/page'

export const NOTE_LENGTH_MAX = 500

/** A person's chosen refund, before its confirmation. */
export interface RefundChoice {
  readonly amountMinor: MinorUnits
  readonly reason: RefundReason
}

export type RefundProblem = 'amount-unreadable' | 'amount-too-much' | 'reason-missing'

/** @param fields - The parameters of the form's address: `amount`, `reason`. */
export function readRefundChoice(
  { amount = '', reason }: Readonly<Record<string, string>>,
  { remainingMinor, mayBePartial }: PossibleActs['refund'],
): RefundChoice | RefundProblem {
  const amountMinor = mayBePartial ? readAmount(amount) : remainingMinor
  if (amountMinor === undefined || amountMinor === 0) return 'amount-unreadable'
  if (amountMinor > remainingMinor) return 'amount-too-much'
  const known = REFUND_REASONS.find((one) => one === reason)
  return known === undefined ? 'reason-missing' : { amountMinor, reason: known }
}

const CENTAVOS = /^[1-9]\d{0,12}$/

/** The amount that the console has written into a confirmation; undefined for other text. */
export function readCentavos(text: string): MinorUnits | undefined {
  return CENTAVOS.test(text) ? minorUnits(Number(text)) : undefined
}

const FORM_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The refund in a confirmation; undefined if the form is not the console's. */
export function readRefundForm(form: Form): Omit<RefundOrder, 'code' | 'actor'> | undefined {
  const field = (name: string): string => form.get(name) ?? ''
  const [amountMinor, remainingMinor] = [field('amount'), field('remaining')].map(readCentavos)
  const formId = field('form')
  const reason = REFUND_REASONS.find((one) => one === form.get('reason'))
  if (amountMinor === undefined || remainingMinor === undefined) return undefined
  if (!FORM_ID.test(formId) || reason === undefined) return undefined
  return {
    formId,
    amountMinor,
    remainingMinor,
    reason,
    note: maskCardNumbers(field('note').trim().slice(0, NOTE_LENGTH_MAX)),
  }
}
