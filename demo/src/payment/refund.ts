import { MerchantApiError, type WireError } from '@cofre/merchant'
import { type Centavos, parseReais, toReais } from '../model/money.js'
import { type Order, mergeRefunds, refundableCentavos } from '../model/order.js'
import type { Texts } from '../texts/texts.js'
import { notificationUrl } from './purchase.js'
import { refreshOrder } from './refresh-order.js'
import { type Shop, isServiceError } from './shop.js'

const REFERENCE_LENGTH_MAX = 64

/** Why there is no refund. `outcome_unknown`: no response came, so there may be one. */
export type RefundProblem = keyof Texts['backOffice']['problems']

/** A refund as it was typed. */
export interface RefundForm {
  /** Names the attempt, so that a form that is posted twice refunds once. */
  readonly attempt: string
  readonly isPartial: boolean
  readonly amount: string
  /** Why, in the shop's own words; the service keeps it with the refund. */
  readonly reference: string
}

/** Problems by code (specification, section 7.6). */
const PROBLEM_OF_CODE: ReadonlyMap<number, RefundProblem> = new Map([
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

/** Asks the service for a refund. @returns why there is none, or undefined when it is under way */
export async function requestRefund(
  shop: Shop,
  order: Order,
  form: RefundForm,
): Promise<RefundProblem | undefined> {
  const amountCentavos = judgeForm(form, order)
  if (typeof amountCentavos === 'string') return amountCentavos
  if (order.code === undefined) return 'not_paid'
  const reference = form.reference === '' ? undefined : form.reference
  try {
    const id = await shop.merchant.createRefund(
      {
        'transaction-id': order.code,
        'notify-url': notificationUrl(shop.site.url),
        amount: toReais(amountCentavos),
        ...(reference !== undefined && { reference }),
      },
      { idempotencyKey: `refund-${form.attempt}` },
    )
    const requestedAtMs = shop.now()
    const refund = {
      id,
      status: 'PROCESSING',
      amountCentavos,
      reference,
      requestedAtMs,
      isProviders: false,
      earliestAtMs: undefined,
    } as const
    // What a notification has reported meanwhile is newer.
    order.refunds = mergeRefunds([refund], order.refunds)
    await refreshOrder(shop, order)
    return undefined
  } catch (error) {
    if (!isServiceError(error)) throw error
    const isKnown = error instanceof MerchantApiError && error.isOutcomeKnown
    const fields = { reference: order.reference, reason: error.message }
    if (isKnown) shop.log.warn(fields, 'refund refused')
    else shop.log.error(fields, 'refund outcome unknown')
    return isKnown ? explainRefusal(error) : 'outcome_unknown'
  }
}

/**
 * Judges what the shop can judge; the service has the last word. @returns the amount, or the
 * problem
 */
function judgeForm(form: RefundForm, order: Order): Centavos | RefundProblem {
  if (form.reference.length > REFERENCE_LENGTH_MAX) return 'reference_too_long'
  const left = refundableCentavos(order)
  const amountCentavos = form.isPartial ? parseReais(form.amount) : left
  if (amountCentavos === undefined || amountCentavos === 0) return 'amount_invalid'
  return amountCentavos > left ? 'amount_too_high' : amountCentavos
}

/** The first reason that there are words for. */
function explainRefusal({ errors }: MerchantApiError): RefundProblem {
  return errors.map(problemOf).find((problem) => problem !== undefined) ?? 'try_later'
}

function problemOf({ code, property }: WireError): RefundProblem | undefined {
  if (code === 20698 && property === 'amount') return 'amount_invalid'
  if (code === 20698 && property === 'reference') return 'reference_too_long'
  return PROBLEM_OF_CODE.get(code)
}
