import { MerchantApiError, MerchantConnectionError, type SearchElement } from '@cofre/merchant'
import type { Shop } from '../shop.js'
import { saveOrder } from './order-goods.js'
import { type Order, isUnsettled, moveTo, updateOrder } from './order.js'

/** The service's clock and ours may differ. */
const SEARCH_MARGIN_MS = 60 * 60 * 1000
const SEARCH_PAGES_MAX = 20
/** Longer than a request can be under way: a transaction that is not there by then never will be. */
const ARRIVAL_MS_MAX = 2 * 60 * 1000

type RefreshDeps = Pick<Shop, 'merchant' | 'orders' | 'sessions' | 'clock' | 'log'>

/**
 * Asks the service where an order stands: by its code, or, when the answer to its creation was lost, by its reference.
 * Leaves it as it is when the service cannot be asked.
 * @returns whether the service answered
 */
export async function refreshOrder(deps: RefreshDeps, order: Order): Promise<boolean> {
  try {
    const found =
      order.code === undefined
        ? await searchByReference(deps, order)
        : await deps.merchant.findTransaction(order.code)
    if (found !== undefined) recordStatus(deps, order.reference, found)
    else if (deps.clock.now() - order.placedAtMs > ARRIVAL_MS_MAX) giveUp(deps, order)
    return true
  } catch (error) {
    if (!(error instanceof MerchantApiError) && !(error instanceof MerchantConnectionError))
      throw error
    deps.log.warn({ reference: order.reference, reason: error.message }, 'order not refreshed')
    return false
  }
}

/** A notification may have told more while the service was asked. */
function giveUp(deps: RefreshDeps, { reference }: Order): void {
  const order = deps.orders.findByReference(reference)
  if (order !== undefined && isUnsettled(order))
    saveOrder(deps, moveTo(order, { state: 'rejected', atMs: deps.clock.now() }))
}

/** Writes what the service said into the order it is about; does nothing for an order the shop does not know. */
export function recordStatus(
  deps: Pick<RefreshDeps, 'orders' | 'sessions'>,
  reference: string,
  found: SearchElement,
): void {
  const order = deps.orders.findByReference(reference)
  if (order !== undefined) saveOrder(deps, updateOrder(order, found))
}

async function searchByReference(
  { merchant }: RefreshDeps,
  order: Order,
): Promise<SearchElement | undefined> {
  const since = new Date(order.placedAtMs - SEARCH_MARGIN_MS)
  for (let page = 1; page <= SEARCH_PAGES_MAX; page++) {
    const answer = await merchant.searchTransactions({ 'initial-order-date': since, page })
    const { transactions } = answer['transaction-result']
    const found = transactions.find((element) => element['order-id'] === order.reference)
    if (found !== undefined || page >= answer.metadata['total-pages']) return found
  }
  throw new MerchantConnectionError('broken-answer')
}
