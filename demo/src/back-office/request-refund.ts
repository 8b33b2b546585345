import { MerchantApiError, MerchantConnectionError } from '@cofre/merchant'
import { toReais } from '../centavos.js'
import { refreshOrder } from '../order/order-refresh.js'
import { mergeRefunds } from '../order/order-refund.js'
import type { Order } from '../order/order.js'
import type { Shop } from '../shop.js'
import { type RefundDraft, type RefundForm, judgeRefundForm } from './refund-form.js'
import { type RefundProblem, explainRefundRefusal } from './refund-problem.js'

/** Asks the service for a refund. @returns why there is none, or undefined when it is under way */
export async function requestRefund(
  shop: Shop,
  order: Order,
  form: RefundForm,
): Promise<RefundProblem | undefined> {
  if (order.code === undefined) return 'not_paid'
  const draft = judgeRefundForm(form, order)
  if (typeof draft === 'string') return draft
  try {
    const id = await shop.merchant.createRefund(
      {
        'transaction-id': order.code,
        'notify-url': shop.notificationUrl,
        amount: toReais(draft.amountCentavos),
        ...(draft.reference !== undefined && { reference: draft.reference }),
      },
      { idempotencyKey: `refund-${form.attempt}` },
    )
    await noteRefund(shop, order.reference, { id, ...draft })
    return undefined
  } catch (error) {
    if (error instanceof MerchantApiError && error.isOutcomeKnown) {
      shop.log.warn({ reference: order.reference, reason: error.message }, 'refund refused')
      return explainRefundRefusal(error)
    }
    if (!(error instanceof MerchantApiError) && !(error instanceof MerchantConnectionError))
      throw error
    shop.log.error({ reference: order.reference, reason: error.message }, 'refund outcome unknown')
    return 'outcome_unknown'
  }
}

/** A notification may have told of it already; the search tells what became of it since. */
async function noteRefund(
  shop: Shop,
  orderReference: string,
  { id, amountCentavos, reference }: RefundDraft & { readonly id: string },
): Promise<void> {
  const order = shop.orders.findByReference(orderReference)
  if (order === undefined) return
  const requested = {
    id,
    status: 'PROCESSING',
    amountCentavos,
    reference,
    requestedAtMs: shop.clock.now(),
  } as const
  // Known refunds come second: what they tell is newer.
  const noted = { ...order, refunds: mergeRefunds([requested], order.refunds) }
  shop.orders.save(noted)
  await refreshOrder(shop, noted)
}
