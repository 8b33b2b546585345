import { MerchantApiError } from '@cofre/merchant'
import { type CartLine, totalsOf } from '../model/cart.js'
import { toReais } from '../model/money.js'
import type { Order } from '../model/order.js'
import type { Texts } from '../texts/texts.js'
import { refreshOrder } from './refresh-order.js'
import { type Shop, isServiceError } from './shop.js'

/** How a request to charge or release a reserved amount ended. */
export type EndOutcome = keyof Texts['backOffice']['outcomes']

/** Outcomes by the code of a refusal (docs/payments.md); after any other, try again. */
const OUTCOME_OF_CODE: ReadonlyMap<number, EndOutcome> = new Map([
  [90601, 'ended'],
  [90632, 'ended'],
  [90633, 'overtaken'],
  [90635, 'refused'],
  [90636, 'refused'],
])

/**
 * Charges the goods that leave; the rest of the reserved amount is released. The service captures a
 * payment once: the same request has the same answer again, so a form posted twice charges once.
 */
export async function shipOrder(
  shop: Shop,
  order: Order,
  goods: readonly CartLine[],
): Promise<EndOutcome> {
  const amount = toReais(totalsOf(goods).totalCentavos)
  const capture = async (code: string) =>
    (await shop.merchant.capturePayment(code, { amount })).capture
  return await end(shop, order, capture)
}

/** Releases the whole reserved amount. */
export async function cancelOrder(shop: Shop, order: Order): Promise<EndOutcome> {
  const cancel = async (code: string) => (await shop.merchant.cancelPayment(code)).cancellation
  return await end(shop, order, cancel)
}

async function end(
  shop: Shop,
  order: Order,
  request: (code: string) => Promise<EndOutcome>,
): Promise<EndOutcome> {
  const { code = '', reference } = order
  try {
    return await request(code)
  } catch (error) {
    if (!isServiceError(error)) throw error
    shop.log.warn({ reference, reason: error.message }, 'order neither shipped nor cancelled')
    const refusal = error instanceof MerchantApiError ? error.code : undefined
    return OUTCOME_OF_CODE.get(refusal ?? 0) ?? 'unanswered'
  } finally {
    await refreshOrder(shop, order)
  }
}
