import { formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { StateBadge } from '../order/order-details.js'
import { paymentName } from '../order/order-notice.js'
import { type Order, orderKey } from '../order/order.js'
import { OpenNote } from '../page/demo-hint.js'
import { formatTime } from '../page/format-time.js'
import type { OrderListing } from './order-listing.js'

interface OrderDeskListPageProps {
  readonly listing: OrderListing
  readonly language: Language
  readonly messages: Messages
}

/** Every order of the shop, newest first. */
export function OrderDeskListPage({ listing, language, messages }: OrderDeskListPageProps) {
  const { backOffice } = messages
  const { orders, page, pages, found } = listing
  return (
    <div class="frame">
      <div class="heading-row">
        <h1>{backOffice.title}</h1>
        <p class="about">{backOffice.found(found)}</p>
      </div>
      <OpenNote messages={messages} />
      {orders.length === 0 ? (
        <p class="card">{backOffice.empty}</p>
      ) : (
        <ul class="order-list desk-list">
          {orders.map((order) => (
            <Row order={order} language={language} messages={messages} />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <nav class="pages" aria-label={backOffice.pages}>
          {page > 1 && <a href={`/back-office?page=${page - 1}`}>{backOffice.newer}</a>}
          <span>{backOffice.page(page, pages)}</span>
          {page < pages && <a href={`/back-office?page=${page + 1}`}>{backOffice.older}</a>}
        </nav>
      )}
    </div>
  )
}

interface RowProps {
  readonly order: Order
  readonly language: Language
  readonly messages: Messages
}

function Row({ order, language, messages }: RowProps) {
  const key = orderKey(order)
  return (
    <li class="card">
      <div>
        <a href={`/back-office/orders/${key}`}>{messages.order.title(key)}</a>
        <p class="about">{formatTime(order.placedAtMs, language)}</p>
      </div>
      <div class="desk-customer">
        <span>{order.email}</span>
        <p class="about">{paymentName(order, messages)}</p>
      </div>
      <StateBadge order={order} messages={messages} />
      <span class="price">{formatCentavos(order.totalCentavos, language)}</span>
    </li>
  )
}
