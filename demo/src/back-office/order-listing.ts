import type { Order } from '../order/order.js'

const PAGE_ORDERS_MAX = 20

/** A page of the shop's orders. */
export interface OrderListing {
  readonly orders: readonly Order[]
  /** From 1. */
  readonly page: number
  readonly pages: number
  readonly found: number
}

/** @param orders - Oldest first. A page that is not there is the nearest one. */
export function listOrders(orders: readonly Order[], pageText: string | undefined): OrderListing {
  const found = orders.length
  const pages = Math.max(Math.ceil(found / PAGE_ORDERS_MAX), 1)
  const asked = /^\d{1,6}$/.test(pageText ?? '') ? Number(pageText) : 1
  const page = Math.min(Math.max(asked, 1), pages)
  const first = (page - 1) * PAGE_ORDERS_MAX
  return { orders: orders.toReversed().slice(first, first + PAGE_ORDERS_MAX), page, pages, found }
}
