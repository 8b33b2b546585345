import { formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { NoticePage } from '../page/notice-page.js'
import { formatTime } from '../page/format-time.js'
import { StateBadge } from './order-details.js'
import { paymentName } from './order-notice.js'
import { type Order, orderKey } from './order.js'

interface OrderListPageProps {
  readonly orders: readonly Order[]
  readonly language: Language
  readonly messages: Messages
}

/** The orders placed in this browser. */
export function OrderListPage({ orders, language, messages }: OrderListPageProps) {
  const { order: texts } = messages
  if (orders.length === 0) return <NoticePage notice={texts.listEmpty} messages={messages} />
  return (
    <div class="frame narrow">
      <h1>{texts.listTitle}</h1>
      <ul class="order-list">
        {orders.map((order) => (
          <li class="card">
            <div>
              <a href={`/orders/${orderKey(order)}`}>{texts.title(orderKey(order))}</a>
              <p class="about">
                {formatTime(order.placedAtMs, language)} · {paymentName(order, messages)}
              </p>
            </div>
            <StateBadge order={order} messages={messages} />
            <span class="price">{formatCentavos(order.totalCentavos, language)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
