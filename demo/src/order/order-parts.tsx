import type { PropsWithChildren } from 'hono/jsx'
import {
  type OpenPayment,
  type Order,
  type OrderState,
  isBeingIssued,
  isMoving,
  orderKey,
  orderVersion,
} from '../model/order.js'
import { LineList, Totals } from '../page/goods.js'
import { assets, useView } from '../page/view.js'
import { installmentLabel, paymentName, stateName } from '../texts/order-words.js'

const MOVING_POLL_MS = 2_000
/** The service is asked each time. */
const UNKNOWN_POLL_MS = 10_000
const SETTLED_POLL_MS = 20_000

export interface OrderProps {
  readonly order: Order
}

/** How a state is coloured and drawn. */
export const TONES: Readonly<Record<OrderState, 'good' | 'waiting' | 'bad'>> = {
  processing: 'waiting',
  unknown: 'waiting',
  pending: 'waiting',
  review: 'waiting',
  paid: 'good',
  refunded: 'waiting',
  rejected: 'bad',
  cancelled: 'bad',
  expired: 'bad',
  unpaid: 'bad',
  chargeback: 'bad',
}

/** An order's state in one or two words. */
export function StateBadge({ order }: OrderProps) {
  const { state } = order
  return (
    <span class={`badge ${TONES[state]}`} data-testid="order-status" data-state={state}>
      {stateName(order, useView().texts)}
    </span>
  )
}

/** An order's facts, lines and totals. */
export function OrderDetails({ order }: OrderProps) {
  const { texts, language, time } = useView()
  const { payment, lines } = order
  const terms = payment.kind === 'card' ? payment.terms : undefined
  const installments = payment.kind === 'card' ? `${payment.installments}x` : undefined
  const rows: readonly (readonly [keyof typeof texts.order, string | undefined])[] = [
    ['code', order.code],
    ['reference', order.reference],
    ['placedAt', time(order.placedAtMs)],
    ['email', order.email],
    ['payment', paymentName(order, texts)],
    ['installments', terms ? installmentLabel(terms, texts, language) : installments],
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

/** What happened to an order, and when. */
export function OrderHistory({ order }: OrderProps) {
  const { texts, time } = useView()
  const steps = [
    { tone: 'good', name: texts.order.placed, atMs: order.placedAtMs },
    ...order.history.map(({ state, atMs }) => {
      return { tone: TONES[state], name: texts.order.states[state], atMs }
    }),
  ]
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">{texts.order.history}</h2>
      <ol class="history bullets" data-testid="order-history">
        {steps.map(({ tone, name, atMs }) => (
          <li class={`tone-${tone}`}>
            <strong>{name}</strong> <span class="hint">{time(atMs)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const REFUND_TONES = { PROCESSING: 'waiting', PROCESSED: 'good', REJECTED: 'bad' } as const

/** The refunds of an order and where they stand. */
export function RefundList({ order }: OrderProps) {
  const { texts, money, time } = useView()
  return (
    <ul class="refund-list" data-testid="refunds">
      {order.refunds.map((refund) => (
        <li class="row">
          <span>
            <strong>{money(refund.amountCentavos)}</strong>{' '}
            <span class="hint">{time(refund.requestedAtMs)}</span>
          </span>
          <span
            class={`badge ${REFUND_TONES[refund.status]}`}
            data-testid="refund-status"
            data-state={refund.status}
          >
            {texts.order.refundStates[refund.status]}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface FollowedOrderProps extends OrderProps {
  /** The page's own address; the order's version is below it. */
  readonly path: string
}

export function FollowScript() {
  return <script type="module" src={assets.urlOf('follow-order.js')} />
}

/** What the script replaces when the order changes while its page is open, and where it says so. */
export function FollowedOrder({ order, path, children }: PropsWithChildren<FollowedOrderProps>) {
  const { texts } = useView()
  return (
    <>
      <div
        id="followed-order"
        class="stack"
        tabindex={-1}
        data-version={orderVersion(order)}
        data-path={path}
        data-poll-ms={pollMsOf(order)}
        data-news={`${texts.order.news}: ${stateName(order, texts)}`}
      >
        {children}
      </div>
      <p id="order-news" class="visually-hidden" role="status"></p>
    </>
  )
}

function pollMsOf(order: Order): number {
  if (order.state === 'unknown' || isBeingIssued(order)) return UNKNOWN_POLL_MS
  return isMoving(order) ? MOVING_POLL_MS : SETTLED_POLL_MS
}

export function OrderList({ orders }: { readonly orders: readonly Order[] }) {
  const { texts, money, time } = useView()
  return (
    <ul class="order-list stack">
      {orders.map((order) => (
        <li class="card row">
          <div>
            <a href={`/orders/${orderKey(order)}`}>
              {texts.order.title.replace('{code}', orderKey(order))}
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
  )
}

/** Something to know that a real shop does not have. */
function DemoHint({ children }: PropsWithChildren) {
  return (
    <p class="demo-hint">
      <strong>{useView().texts.checkout.test.title}</strong> {children}
    </p>
  )
}

/** Where a developer plays payer, bank or acquirer, or changes the status; or nothing. */
export function PlayHint({ order }: OrderProps) {
  const { shop, texts } = useView()
  const { bankUrl, boletoBankUrl, acquirers = [] } = shop
  const { payment } = order
  if (acquirers.length > 0 && payment.kind === 'card') {
    const links = acquirers.map(({ name, url }) => ({ link: name, address: url }))
    return <PlaceHint text={texts.order.acquirers} links={links} testId="acquirer-link" />
  }
  if (order.state === 'paid') return <PanelHint order={order} text={texts.order.panel.refund} />
  if (bankUrl !== undefined && payment.kind === 'pix') {
    const address = pageOf(payment, `${bankUrl}/charges`, bankUrl)
    return (
      <PlaceHint
        text={texts.order.bank.text}
        links={[{ link: texts.order.bank.link, address }]}
        testId="bank-link"
      />
    )
  }
  if (boletoBankUrl !== undefined && payment.kind === 'boleto') {
    const address = pageOf(payment, `${boletoBankUrl}/boletos`, boletoBankUrl)
    return (
      <PlaceHint
        text={texts.order.boletoBank.text}
        links={[{ link: texts.order.boletoBank.link, address }]}
        testId="bank-link"
      />
    )
  }
  return <PanelHint order={order} text={texts.order.panel.text} />
}

function PanelHint({ order, text }: OrderProps & { readonly text: string }) {
  const { shop, texts } = useView()
  const { panelUrl } = shop
  if (panelUrl === undefined) return null
  const address = order.code === undefined ? panelUrl : `${panelUrl}/transactions/${order.code}`
  return (
    <PlaceHint
      text={text}
      links={[{ link: texts.order.panel.link, address }]}
      testId="panel-link"
    />
  )
}

/** Where a simulated bank shows what was paid with: all of it, as long as that has no code. */
function pageOf({ details }: OpenPayment, found: string, all: string): string {
  const code = details?.code ?? ''
  return code === '' ? all : `${found}?code=${encodeURIComponent(code)}`
}

interface PlaceHintProps {
  readonly text: string
  readonly links: readonly { readonly link: string; readonly address: string }[]
  readonly testId: string
}

function PlaceHint({ text, links, testId }: PlaceHintProps) {
  return (
    <DemoHint>
      {text}
      {links.map(({ link, address }) => (
        <>
          {' '}
          <a href={address} target="_blank" rel="noopener" data-testid={testId}>
            {link}
          </a>
        </>
      ))}
    </DemoHint>
  )
}
