import { type Order, orderKey } from './order.js'

/** Beyond this the oldest order is forgotten: a demonstration holds its orders in memory. */
const ORDERS_MAX = 10_000

interface OrderBookDeps {
  /** Orders of an earlier process, oldest first. */
  readonly kept: readonly Order[]
  /** Called after every change. */
  readonly onChange: () => void
}

/** The orders the shop knows. */
export interface OrderBook {
  save(order: Order): void
  /** Forgets an order that the service did not take. */
  discard(reference: string): void
  findByReference(reference: string): Order | undefined
  /** Any order, by its code or reference: for the shop itself. */
  find(key: string): Order | undefined
  /** An order of this browser, by its code or reference; those of others are not found. */
  findOwn(sessionId: string, key: string): Order | undefined
  /** This browser's orders, newest first. */
  listOwn(sessionId: string): readonly Order[]
  /** All orders, oldest first. */
  list(): readonly Order[]
}

export function createOrderBook({ kept, onChange }: OrderBookDeps): OrderBook {
  const orders = new Map(kept.map((order) => [order.reference, order]))
  const hasKey = (order: Order, key: string): boolean =>
    orderKey(order) === key || order.reference === key
  const own = (sessionId: string): Order[] =>
    [...orders.values()].filter((order) => order.sessionId === sessionId)
  return {
    save(order) {
      const [oldest] = orders.keys()
      if (orders.size >= ORDERS_MAX && oldest !== undefined && !orders.has(order.reference))
        orders.delete(oldest)
      orders.set(order.reference, order)
      onChange()
    },
    discard(reference) {
      orders.delete(reference)
      onChange()
    },
    findByReference: (reference) => orders.get(reference),
    find: (key) => [...orders.values()].find((order) => hasKey(order, key)),
    findOwn: (sessionId, key) => own(sessionId).find((order) => hasKey(order, key)),
    listOwn: (sessionId) => own(sessionId).reverse(),
    list: () => [...orders.values()],
  }
}
