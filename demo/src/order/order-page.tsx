import { fill } from '@cofre/pages'
import {
  type Order,
  type OrderState,
  addressOf,
  isBeingIssued,
  isOpen,
  partsOnCard,
} from '../model/order.js'
import { LineList, Totals } from '../page/goods.js'
import { SecurityNote, ShopNotice } from '../page/layout.js'
import { Icon, useView } from '../page/view.js'
import { installmentLabel, noticeOf, paymentName, stateName } from '../texts/order-words.js'
import { type OrderProps, PaymentInstructions, SimulationHint } from './payment-instructions.js'

const MOVING_POLL_MS = 2_000
/** Each poll asks the service. */
const UNKNOWN_POLL_MS = 10_000
const SETTLED_POLL_MS = 20_000

/** Colour and icon of each state. */
const TONES: Readonly<Record<OrderState, 'good' | 'waiting' | 'bad'>> = {
  processing: 'waiting',
  unknown: 'waiting',
  pending: 'waiting',
  reserved: 'waiting',
  review: 'waiting',
  paid: 'good',
  refunded: 'waiting',
  rejected: 'bad',
  cancelled: 'bad',
  expired: 'bad',
  unpaid: 'bad',
  chargeback: 'bad',
}

/** The orders placed in this browser. */
export function OrderListPage({ orders }: { readonly orders: readonly Order[] }) {
  const { texts, money, time } = useView()
  if (orders.length === 0) return <ShopNotice {...texts.order.listEmpty} />
  return (
    <div class="frame narrow">
      <h1>{texts.order.listTitle}</h1>
      <ul class="order-list stack">
        {orders.map((order) => (
          <li class="card row">
            <div>
              <a href={addressOf(order)}>
                {fill(texts.order.title, { code: order.code ?? order.reference })}
              </a>
              <p class="hint">
                {time(order.placedAtMs)} · {paymentName(order, texts)}
              </p>
            </div>
            <StateBadge order={order} />
            <span class="price number">{money(order.totalCentavos)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** An order's state and details. The script replaces it after a change while the page is open. */
export function OrderPage({ order }: OrderProps) {
  const { texts, language } = useView()
  const { payment, state } = order
  const { title, text } = noticeOf(order, texts, language)
  const name = stateName(order, texts)
  return (
    <div class="frame narrow">
      <div
        id="followed-order"
        class="stack"
        tabindex={-1}
        data-testid="result"
        data-state={state}
        data-version={`${name}, ${title}`}
        data-path={addressOf(order)}
        data-poll-ms={pollMsOf(order)}
        data-news={`${texts.order.news}: ${name}`}
      >
        <span class={`state-icon ${TONES[state]}`}>
          <Icon name={TONES[state]} />
        </span>
        <h1>{title}</h1>
        <p class="lead">
          {text} <StateBadge order={order} />
        </p>
        {payment.kind === 'card' && payment.isCardSaved && (
          <SecurityNote>{texts.order.cardSaved}</SecurityNote>
        )}
        <PaymentInstructions order={order} />
        {(state === 'paid' || state === 'reserved') && <SimulationHint order={order} />}
        <NextStep order={order} />
        <OrderDetails order={order} />
      </div>
      <p id="order-news" class="visually-hidden" role="status"></p>
    </div>
  )
}

function pollMsOf(order: Order): number {
  if (order.state === 'unknown' || isBeingIssued(order)) return UNKNOWN_POLL_MS
  return isOpen(order) ? MOVING_POLL_MS : SETTLED_POLL_MS
}

/** An order's state in one or two words. */
function StateBadge({ order }: OrderProps) {
  const { state } = order
  return (
    <span class={`badge ${TONES[state]}`} data-testid="order-status" data-state={state}>
      {stateName(order, useView().texts)}
    </span>
  )
}

/** The customer's next step. */
function NextStep({ order }: OrderProps) {
  const { order: texts, shop } = useView().texts
  const address = addressOf(order)
  const link = (href: string, text: string) => (
    <a class="button quiet" href={href}>
      {text}
    </a>
  )
  switch (order.state) {
    case 'processing':
    case 'unknown':
    case 'pending':
    case 'reserved':
    case 'review':
      return <p>{link(`${address}?check=yes`, texts.checkAgain)}</p>
    case 'rejected':
      return (
        <p class="actions">
          <a class="button" href="/checkout">
            {order.payment.kind === 'card' ? texts.tryAnotherCard : texts.tryAnotherMethod}
          </a>
          {link('/cart', texts.backToCart)}
        </p>
      )
    case 'cancelled':
    case 'expired':
    case 'unpaid':
      return (
        <form method="post" action={`${address}/again`}>
          <button>{texts.buyAgain}</button>
        </form>
      )
    case 'paid':
    case 'refunded':
    case 'chargeback':
      return <p>{link('/', shop.backToShop)}</p>
  }
}

/** An order's facts, lines and totals. */
function OrderDetails({ order }: OrderProps) {
  const { texts, language, money, time } = useView()
  const { payment, lines, chargedCentavos } = order
  const { charged, released } = partsOnCard(order)
  const isEnded = chargedCentavos !== undefined && order.state !== 'reserved'
  // The whole amount's terms.
  const terms = payment.kind === 'card' && released === 0 ? payment.terms : undefined
  const installments = payment.kind === 'card' ? `${payment.installments}x` : undefined
  const rows: readonly (readonly [keyof typeof texts.order, string | undefined])[] = [
    ['code', order.code],
    ['reference', order.reference],
    ['placedAt', time(order.placedAtMs)],
    ['email', order.email],
    ['payment', paymentName(order, texts)],
    ['installments', terms ? installmentLabel(terms, texts, language) : installments],
    ['charged', isEnded ? money(charged) : undefined],
    ['released', released === 0 ? undefined : money(released)],
  ]
  return (
    <section class="card">
      <dl class="facts tiles">
        {rows.map(([name, value]) =>
          value === undefined ? null : (
            <div>
              <dt>{texts.order[name]}</dt>
              <dd data-testid={`order-${name}`}>{value}</dd>
            </div>
          ),
        )}
      </dl>
      <h2>{texts.order.items}</h2>
      <LineList lines={lines} />
      <Totals totals={order} />
    </section>
  )
}
