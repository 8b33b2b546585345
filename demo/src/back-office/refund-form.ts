import { type Centavos, parseReais } from '../centavos.js'
import { type Order, refundableCentavos } from '../order/order.js'
import type { RefundProblem } from './refund-problem.js'

const REFERENCE_LENGTH_MAX = 64
const ATTEMPT = /^[0-9a-f]{32}$/

/** A refund as it was posted. */
export interface RefundForm {
  /** Names the attempt, so that a form posted twice refunds once. */
  readonly attempt: string
  readonly isPartial: boolean
  /** As it was typed. */
  readonly amount: string
  /** Why, in the shop's own words; the service keeps it with the refund. */
  readonly reference: string
}

/** A refund that may be asked for. */
export interface RefundDraft {
  readonly amountCentavos: Centavos
  readonly reference: string | undefined
}

export function emptyRefundForm(attempt: string): RefundForm {
  return { attempt, isPartial: false, amount: '', reference: '' }
}

/** Undefined for a form that is not one of the shop's. */
export function parseRefundForm(form: ReadonlyMap<string, string>): RefundForm | undefined {
  const attempt = form.get('attempt') ?? ''
  if (!ATTEMPT.test(attempt)) return undefined
  return {
    attempt,
    isPartial: form.get('extent') === 'partial',
    amount: (form.get('amount') ?? '').trim().slice(0, 20),
    reference: (form.get('reference') ?? '').trim().slice(0, 200),
  }
}

/** Judges what can be judged without asking; the service has the last word. */
export function judgeRefundForm(form: RefundForm, order: Order): RefundDraft | RefundProblem {
  if (form.reference.length > REFERENCE_LENGTH_MAX) return 'reference_too_long'
  // The service would answer with the refund that it was used for.
  if (
    order.refunds.some(({ reference }) => reference !== undefined && reference === form.reference)
  )
    return 'reference_used'
  const left = refundableCentavos(order)
  const amountCentavos = form.isPartial ? parseReais(form.amount) : left
  if (amountCentavos === undefined || amountCentavos === 0) return 'amount_invalid'
  if (amountCentavos > left) return 'amount_too_high'
  return { amountCentavos, reference: form.reference === '' ? undefined : form.reference }
}
