import { LockIcon, StateIcon } from '../page/icon.js'
import { FollowedOrder } from './followed-order.js'
import { NextStep } from './next-step.js'
import { OrderDetails } from './order-details.js'
import { noticeOf } from './order-notice.js'
import type { RunningOrderProps } from './order-page.js'
import { PaymentInstructions } from './payment-instructions.js'

/** What became of a payment, right after it. */
export function ResultPage(props: RunningOrderProps) {
  const { order, messages } = props
  const { title, text } = noticeOf(order, messages)
  const { payment, state } = order
  const path = `/result/${order.reference}`
  return (
    <div class="frame narrow">
      <FollowedOrder order={order} path={path} messages={messages}>
        <div class="result" data-testid="result" data-state={state}>
          <div class="result-head">
            <StateIcon state={state} />
            <h1>{title}</h1>
            <p class="lead">{text}</p>
            {payment.kind === 'card' && payment.isCardSaved && (
              <p class="security-note">
                <LockIcon />
                {messages.order.cardSaved}
              </p>
            )}
          </div>
          <PaymentInstructions {...props} />
          <NextStep order={order} path={path} messages={messages} />
          <section class="card">
            <OrderDetails {...props} />
          </section>
        </div>
      </FollowedOrder>
    </div>
  )
}
