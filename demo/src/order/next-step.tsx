import type { Messages } from '../language/messages.js'
import { type Order, orderKey } from './order.js'

interface NextStepProps {
  readonly order: Order
  /** The page this is on, under which an order is asked after. */
  readonly path: string
  readonly messages: Messages
}

/** What a customer may do next. Asking after an order works without script; with it the page follows by itself. */
export function NextStep({ order, path, messages }: NextStepProps) {
  const { order: texts } = messages
  switch (order.state) {
    case 'rejected':
      return (
        <p class="actions">
          <a class="button" href="/checkout">
            {order.payment.kind === 'card' ? texts.tryAnotherCard : texts.tryAnotherMethod}
          </a>
          <a class="button secondary" href="/cart">
            {texts.backToCart}
          </a>
        </p>
      )
    case 'processing':
    case 'unknown':
    case 'pending':
    case 'review':
      return (
        <form class="actions" method="post" action={`${path}/check`}>
          <button class="button secondary" type="submit">
            {texts.checkAgain}
          </button>
          <FollowLink order={order} path={path} messages={messages} />
        </form>
      )
    case 'cancelled':
    case 'expired':
    case 'unpaid':
      return (
        <form class="actions" method="post" action={`/orders/${orderKey(order)}/again`}>
          <button class="button" type="submit">
            {texts.buyAgain}
          </button>
          <FollowLink order={order} path={path} messages={messages} />
        </form>
      )
    case 'paid':
    case 'refunded':
    case 'chargeback':
      return (
        <p class="actions">
          <FollowLink order={order} path={path} messages={messages} />
          <a class="button secondary" href="/">
            {messages.shop.backToShop}
          </a>
        </p>
      )
  }
}

/** To the order's own page, from any other. */
function FollowLink({ order, path, messages }: NextStepProps) {
  const address = `/orders/${orderKey(order)}`
  return path === address ? null : (
    <a class="button secondary" href={address}>
      {messages.order.view}
    </a>
  )
}
