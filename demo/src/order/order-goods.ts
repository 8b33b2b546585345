import { putInCart, takeFromCart } from '../cart/cart.js'
import type { Shop } from '../shop.js'
import type { Order } from './order.js'

type OrderDeps = Pick<Shop, 'orders' | 'sessions'>

/**
 * Saves an order. Its goods are either in the order or in the cart, never in both: a new order takes them out of the
 * cart before anyone can pay for them again, and a decline puts them back.
 */
export function saveOrder({ orders, sessions }: OrderDeps, order: Order): void {
  const { sessionId, reference, lines } = order
  const heldGoods = holdsGoods(orders.findByReference(reference))
  orders.save(order)
  if (heldGoods === holdsGoods(order)) return
  const move = heldGoods ? putInCart : takeFromCart
  sessions.update(sessionId, (session) => ({ ...session, cart: move(session.cart, lines) }))
}

/** Forgets an order that the service did not take; its goods are in the cart again. */
export function discardOrder({ orders, sessions }: OrderDeps, order: Order): void {
  saveOrder({ orders, sessions }, { ...order, state: 'rejected' })
  orders.discard(order.reference)
}

function holdsGoods(order: Order | undefined): boolean {
  return order !== undefined && order.state !== 'rejected'
}
