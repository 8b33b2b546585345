import { MerchantApiError, type SearchElement } from '@cofre/merchant'
import { type Order, isChargedLater, isUnsettled, moveTo, updateOrder } from '../model/order.js'
import { type Shop, isServiceError } from './shop.js'

/** Longer than any request can run: a transaction that is missing by then will never exist. */
const ARRIVAL_MS_MAX = 2 * 60 * 1000
const NOT_FOUND_STATUS = 404

/**
 * Asks the service for an order's status: by its code, or by its reference if the response to its
 * creation was lost. If the service does not respond, the order stays unchanged.
 */
export async function refreshOrder(shop: Shop, order: Order): Promise<void> {
  const { merchant, now, log } = shop
  try {
    const found = await (order.code === undefined
      ? merchant.findByReference(order.reference)
      : merchant.findTransaction(order.code))
    if (found !== undefined) await record(shop, order, found)
    else if (isUnsettled(order) && now() - order.placedAtMs > ARRIVAL_MS_MAX)
      moveTo(order, 'rejected')
  } catch (error) {
    if (!isServiceError(error)) throw error
    log.warn({ reference: order.reference, reason: error.message }, 'order not refreshed')
  }
}

async function record({ merchant }: Shop, order: Order, found: SearchElement): Promise<void> {
  const charge = isChargedLater(order)
    ? await merchant.findPayment(found['transaction-code'])
    : undefined
  updateOrder(order, found, charge)
}

/**
 * Handles a notification. Anyone can post one, so the change is read from the service.
 * @returns true if the service knows the transaction
 */
export async function followNotification(shop: Shop, code: string): Promise<boolean> {
  try {
    const found = await shop.merchant.findTransaction(code)
    const order = shop.orders.get(found['order-id'])
    if (order !== undefined) await record(shop, order, found)
    shop.log.info({ code, status: found.status }, 'notification received')
    return true
  } catch (error) {
    if (error instanceof MerchantApiError && error.status === NOT_FOUND_STATUS) return false
    throw error
  }
}
