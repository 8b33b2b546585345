import { LineList, Totals } from '../cart/totals.js'
import { installmentLabel } from '../checkout/installment-options.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { toneOf } from '../page/icon.js'
import { BRAND_NAMES } from './card-summary.js'
import type { OrderState } from './order-state.js'
import type { Order } from './order.js'

const TIME_ZONE = 'America/Sao_Paulo'

/** What every page about an order needs. */
export interface OrderProps {
  readonly order: Order
  readonly language: Language
  readonly messages: Messages
}

/** An order's facts, lines and totals. */
export function OrderDetails({ order, language, messages }: OrderProps) {
  const { order: texts } = messages
  const { code, card, statusChangedAt } = order
  const rows: readonly (readonly [label: string, value: string | undefined, testId?: string])[] = [
    [texts.code, code, 'order-code'],
    [texts.reference, order.reference, 'order-reference'],
    [texts.placedAt, formatTime(order.placedAtMs, language)],
    [
      texts.updatedAt,
      statusChangedAt === undefined ? undefined : formatTime(Date.parse(statusChangedAt), language),
    ],
    [texts.email, order.email],
    [texts.card, card && texts.cardEnding(BRAND_NAMES[card.brand], card.lastFour), 'order-card'],
    [texts.installments, installmentsText({ order, language, messages }), 'order-installments'],
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
function installmentsText({ order, language, messages }: OrderProps): string {
  const { terms, installments } = order
  if (terms === undefined) return `${installments}x`
  return installmentLabel(terms, language, messages)
}

interface StateBadgeProps {
  readonly state: OrderState
  readonly messages: Messages
}

/** An order's state in one or two words. */
export function StateBadge({ state, messages }: StateBadgeProps) {
  return (
    <span class={`state-badge tone-${toneOf(state)}`} data-testid="order-status" data-state={state}>
      {messages.order.states[state]}
    </span>
  )
}

export function formatTime(timeMs: number, language: Language): string {
  if (Number.isNaN(timeMs)) return ''
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: TIME_ZONE,
  }).format(timeMs)
}
