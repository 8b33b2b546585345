import { OrderDetails, type OrderProps, StateBadge } from './order-details.js'
import { FollowedOrder } from './followed-order.js'
import { OrderHistory, RefundList } from './order-history.js'
import { NextStep } from './next-step.js'
import { noticeOf } from './order-notice.js'
import { orderKey } from './order.js'
import { PaymentInstructions } from './payment-instructions.js'

/** What a page about a running order needs besides. */
export interface RunningOrderProps extends OrderProps {
  readonly nowMs: number
  readonly panelUrl: string | undefined
}

/** One order, as it stands. */
export function OrderPage(props: RunningOrderProps) {
  const { order, language, messages } = props
  const { order: texts } = messages
  const key = orderKey(order)
  const path = `/orders/${key}`
  return (
    <div class="frame narrow">
      <p class="breadcrumb">
        <a href="/orders">{texts.listTitle}</a>
      </p>
      <FollowedOrder order={order} path={path} messages={messages}>
        <div class="heading-row">
          <h1>{texts.title(key)}</h1>
          <StateBadge order={order} messages={messages} />
        </div>
        <p class="lead">{noticeOf(order, messages).text}</p>
        <PaymentInstructions {...props} />
        <NextStep order={order} path={path} messages={messages} />
        <OrderHistory {...props} />
        {order.refunds.length > 0 && (
          <section class="card" aria-labelledby="refunds">
            <h2 id="refunds">{texts.refunds}</h2>
            <RefundList refunds={order.refunds} language={language} messages={messages} />
          </section>
        )}
        <section class="card">
          <OrderDetails {...props} />
        </section>
      </FollowedOrder>
    </div>
  )
}
