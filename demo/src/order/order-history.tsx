import { formatCentavos } from '../centavos.js'
import type { Language } from '../language/language.js'
import type { Messages } from '../language/messages.js'
import { formatTime } from '../page/format-time.js'
import { toneOf } from '../page/icon.js'
import type { OrderProps } from './order-details.js'
import type { OrderRefund, RefundStatus } from './order-refund.js'

/** What happened to an order, and when. */
export function OrderHistory({ order, language, messages }: OrderProps) {
  const { order: texts } = messages
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{texts.history}</h2>
      <ol class="history" data-testid="order-history">
        <li class="tone-good">
          <strong>{texts.placed}</strong>
          <span class="about">{formatTime(order.placedAtMs, language)}</span>
        </li>
        {order.history.map(({ state, atMs }) => (
          <li class={`tone-${toneOf(state)}`}>
            <strong>{texts.states[state]}</strong>
            <span class="about">{formatTime(atMs, language)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const REFUND_TONES: Readonly<Record<RefundStatus, 'good' | 'waiting' | 'bad'>> = {
  PROCESSING: 'waiting',
  PROCESSED: 'good',
  REJECTED: 'bad',
}

interface RefundListProps {
  readonly refunds: readonly OrderRefund[]
  readonly language: Language
  readonly messages: Messages
  /** The shop's own words for a refund are not for the customer. */
  readonly showsReference?: true
}

/** Refunds and where they stand. */
export function RefundList({ refunds, language, messages, showsReference }: RefundListProps) {
  const { order: texts } = messages
  return (
    <ul class="refund-list" data-testid="refunds">
      {refunds.map(({ status, amountCentavos, reference, requestedAtMs }) => (
        <li>
          <div>
            <strong>{formatCentavos(amountCentavos, language)}</strong>
            <span class="about">{formatTime(requestedAtMs, language)}</span>
            {showsReference && reference !== undefined && <span class="about">{reference}</span>}
          </div>
          <span
            class={`state-badge tone-${REFUND_TONES[status]}`}
            data-testid="refund-status"
            data-state={status}
          >
            {texts.refundStates[status]}
          </span>
        </li>
      ))}
    </ul>
  )
}
