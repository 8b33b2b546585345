import { type Order, orderKey } from './order.js'

/** Beyond this the oldest order is forgotten: a demonstration keeps its orders in memory. */
const ORDERS_MAX = 10_000

/** The orders of this process. */
export interface OrderBook {
  save(order: Order): void
  /** Forgets an order that the service did not take. */
  discard(reference: string): void
  findByReference(reference: string): Order | undefined
  /** An order of this browser, by its code or reference; those of others are not found. */
  findOwn(sessionId: string, key: string): Order | undefined
  /** This browser's orders, newest first. */
  listOwn(sessionId: string): readonly Order[]
}

export function createOrderBook(): OrderBook {
  const orders = new Map<string, Order>()
  const own = (sessionId: string): Order[] =>
    [...orders.values()].filter((order) => order.sessionId === sessionId)
  return {
    save(order) {
      const [oldest] = orders.keys()
      if (orders.size >= ORDERS_MAX && oldest !== undefined && !orders.has(order.reference))
        orders.delete(oldest)
      orders.set(order.reference, order)
    },
    discard(reference) {
      orders.delete(reference)
    },
    findByReference: (reference) => orders.get(reference),
    findOwn: (sessionId, key) =>
      own(sessionId).find((order) => orderKey(order) === key || order.reference === key),
    listOwn: (sessionId) => own(sessionId).reverse(),
  }
}
