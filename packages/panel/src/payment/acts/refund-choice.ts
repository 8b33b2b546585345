import {
  type MinorUnits,
  formatAmount,
  maskCardNumbers,
  minorUnits,
  parseAmount,
} from '@cofre/contracts'
import {
  type PossibleActs,
  REFUND_REASONS,
  type RefundOrder,
  type RefundReason,
} from '@cofre/gateway'
import type { Language } from '@cofre/pages'
import type { Form } from '../../frame/visit.js'

export const NOTE_LENGTH_MAX = 500

/** What somebody has chosen to refund, before it is confirmed. */
export interface RefundChoice {
  readonly amountMinor: MinorUnits
  readonly reason: RefundReason
}

export type RefundProblem = 'amount-unreadable' | 'amount-too-much' | 'reason-missing'

/** @param fields - Of the form's address: `amount`, `reason`. */
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

/** As Brazilians write it, `1.234,56`, or with a point: `1,234.56`. */
const BRAZILIAN = /^(\d{1,3}(?:\.\d{3})+|\d{1,10})(?:,(\d{1,2}))?$/
const WITH_POINT = /^(\d{1,3}(?:,\d{3})+|\d{1,10})\.(\d{1,2})$/

export function readAmount(typed: string): MinorUnits | undefined {
  const text = typed.replace(/^\s*(?:R\$|BRL)/i, '').trim()
  const [, whole, cents = ''] = BRAZILIAN.exec(text) ?? WITH_POINT.exec(text) ?? []
  if (whole === undefined) return undefined
  return parseAmount(`${whole.replaceAll(/[.,]/g, '')}.${cents.padEnd(2, '0')}`)
}

/** An amount as somebody would type it. */
export function editableAmount(amountMinor: MinorUnits, language: Language): string {
  const text = formatAmount(amountMinor)
  return language === 'pt-BR' ? text.replace('.', ',') : text
}

const CENTAVOS = /^[1-9]\d{0,12}$/
const FORM_ID = /^[0-9a-f-]{36}$/

/** What a confirmation asks for; undefined where it is not one of the console's. */
export function readRefundForm(form: Form): Omit<RefundOrder, 'code' | 'actor'> | undefined {
  const field = (name: string): string => form.get(name) ?? ''
  const [amount, remaining, formId] = [field('amount'), field('remaining'), field('form')]
  const reason = REFUND_REASONS.find((one) => one === form.get('reason'))
  const isComplete = CENTAVOS.test(amount) && CENTAVOS.test(remaining) && FORM_ID.test(formId)
  if (!isComplete || reason === undefined) return undefined
  return {
    formId,
    amountMinor: minorUnits(Number(amount)),
    remainingMinor: minorUnits(Number(remaining)),
    reason,
    note: maskCardNumbers(field('note').trim().slice(0, NOTE_LENGTH_MAX)),
  }
}
