import { LineList, Totals } from '../cart/totals.js'
import { installmentLabel } from '../checkout/installment-options.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { formatTime } from '../page/format-time.js'
import { toneOf } from '../page/icon.js'
import { paymentName, stateName } from './order-notice.js'
import type { OrderPayment } from './order-payment.js'
import type { Order } from './order.js'

/** What every page about an order needs. */
export interface OrderProps {
  readonly order: Order
  readonly language: Language
  readonly messages: Messages
}

/** An order's facts, lines and totals. */
export function OrderDetails({ order, language, messages }: OrderProps) {
  const { order: texts } = messages
  const rows: readonly (readonly [label: string, value: string | undefined, testId?: string])[] = [
    [texts.code, order.code, 'order-code'],
    [texts.reference, order.reference, 'order-reference'],
    [texts.placedAt, formatTime(order.placedAtMs, language)],
    [texts.email, order.email],
    [texts.payment, paymentName(order, messages), 'order-payment'],
    [texts.installments, installmentsText(order.payment, language, messages), 'order-installments'],
  ]
  return (
    <>
      <dl class="facts">
        {rows.map(([label, value, testId]) =>
          value === undefined ? null : (
            <div>
              <dt>{label}</dt>
              <dd data-testid={testId}>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <h2>{texts.items}</h2>
      <LineList lines={order.lines} language={language} />
      <Totals totals={order} language={language} messages={messages} />
    </>
  )
}

/** `3x de R$ 35,35 (total R$ 106,05)`; without the terms only how many. */
function installmentsText(
  payment: OrderPayment,
  language: Language,
  messages: Messages,
): string | undefined {
  if (payment.kind !== 'card') return undefined
  const { terms, installments } = payment
  return terms === undefined ? `${installments}x` : installmentLabel(terms, language, messages)
}

interface StateBadgeProps {
  readonly order: Order
  readonly messages: Messages
}

/** An order's state in one or two words. */
export function StateBadge({ order, messages }: StateBadgeProps) {
  const { state } = order
  return (
    <span class={`state-badge tone-${toneOf(state)}`} data-testid="order-status" data-state={state}>
      {stateName(order, messages)}
    </span>
  )
}
