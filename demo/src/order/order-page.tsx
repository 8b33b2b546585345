import { OrderDetails, type OrderProps, StateBadge } from './order-details.js'
import { orderKey } from './order.js'

/** One order, as it stands. */
export function OrderPage(props: OrderProps) {
  const { order, messages } = props
  return (
    <div class="frame narrow">
      <p class="breadcrumb">
        <a href="/orders">{messages.order.listTitle}</a>
      </p>
      <div class="heading-row">
        <h1>{messages.order.title(orderKey(order))}</h1>
        <StateBadge state={order.state} messages={messages} />
      </div>
      <p class="lead">{messages.order.results[order.state].text}</p>
      <section class="card">
        <OrderDetails {...props} />
      </section>
    </div>
  )
}
