import { FollowedOrder } from '../order/followed-order.js'
import { OrderDetails, StateBadge } from '../order/order-details.js'
import { OrderHistory } from '../order/order-history.js'
import { orderKey } from '../order/order.js'
import { OpenNote, PanelHint } from '../page/demo-hint.js'
import { RefundSection, type RefundSectionProps } from './refund-section.js'

interface OrderDeskPageProps extends RefundSectionProps {
  readonly panelUrl: string | undefined
  /** Whether the service could be asked where the order stands. */
  readonly isCurrent: boolean
}

/** One order, as the shop's people see it. */
export function OrderDeskPage(props: OrderDeskPageProps) {
  const { order, panelUrl, isCurrent, messages } = props
  const { backOffice } = messages
  const key = orderKey(order)
  return (
    <div class="frame">
      <p class="breadcrumb">
        <a href="/back-office">{backOffice.title}</a>
      </p>
      <FollowedOrder order={order} path={`/back-office/orders/${key}`} messages={messages}>
        <div class="heading-row">
          <h1>{messages.order.title(key)}</h1>
          <StateBadge order={order} messages={messages} />
        </div>
        <p class="lead">{backOffice.meanings[order.state]}</p>
        {!isCurrent && (
          <p class="problem" role="alert" data-testid="not-current">
            {backOffice.notCurrent}
          </p>
        )}
        <div class="columns desk">
          <div class="stack">
            <section class="card">
              <OrderDetails {...props} />
            </section>
            <OrderHistory {...props} />
          </div>
          <div class="stack">
            <RefundSection {...props} />
            <PanelHint panelUrl={panelUrl} code={order.code} messages={messages} />
            <OpenNote messages={messages} />
          </div>
        </div>
      </FollowedOrder>
    </div>
  )
}
