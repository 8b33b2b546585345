import type { Messages } from '../language/messages.js'
import { LockIcon, StateIcon } from '../page/icon.js'
import { OrderDetails, type OrderProps } from './order-details.js'
import { type Order, orderKey } from './order.js'

/** What became of a payment, right after it. */
export function ResultPage(props: OrderProps) {
  const { order, messages } = props
  const { title, text } = messages.order.results[order.state]
  return (
    <div class="frame narrow result" data-testid="result" data-state={order.state}>
      <div class="result-head" role="status">
        <StateIcon state={order.state} />
        <h1>{title}</h1>
        <p class="lead">{text}</p>
        {order.isCardSaved && (
          <p class="security-note">
            <LockIcon />
            {messages.order.cardSaved}
          </p>
        )}
      </div>
      <NextStep order={order} messages={messages} />
      <section class="card">
        <OrderDetails {...props} />
      </section>
    </div>
  )
}

function NextStep({ order, messages }: { readonly order: Order; readonly messages: Messages }) {
  const { order: texts, shop } = messages
  switch (order.state) {
    case 'rejected':
      return (
        <p class="actions">
          <a class="button" href="/checkout">
            {texts.tryAnotherCard}
          </a>
          <a class="button secondary" href="/cart">
            {texts.backToCart}
          </a>
        </p>
      )
    case 'processing':
    case 'unknown':
      return (
        <form class="actions" method="post" action={`/result/${order.reference}/check`}>
          <button class="button" type="submit">
            {texts.checkAgain}
          </button>
        </form>
      )
    case 'paid':
    case 'pending':
    case 'review':
    case 'cancelled':
    case 'expired':
    case 'refunded':
    case 'chargeback':
      return (
        <p class="actions">
          <a class="button" href={`/orders/${orderKey(order)}`}>
            {texts.view}
          </a>
          <a class="button secondary" href="/">
            {shop.backToShop}
          </a>
        </p>
      )
  }
}
