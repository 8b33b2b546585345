import { explainDecline } from '@cofre/merchant'
import { Choice, FormField, countText, fill } from '@cofre/pages'
import {
  type Order,
  hasRunningRefund,
  isRefundFailed,
  orderKey,
  refundableCentavos,
} from '../model/order.js'
import {
  DemoHint,
  FollowedOrder,
  OrderDetails,
  OrderHistory,
  OrderList,
  type OrderProps,
  PlayHint,
  RefundList,
  StateBadge,
} from '../order/order-parts.js'
import { useView } from '../page/view.js'
import type { RefundForm, RefundProblem } from '../payment/refund.js'

const PAGE_ORDERS_MAX = 20

interface ListPageProps {
  /** Newest first. */
  readonly orders: readonly Order[]
  /** The page that is asked for; one that is not there is the nearest one. */
  readonly asked: number
}

/** Every order of the shop. */
export function BackOfficeListPage({ orders, asked }: ListPageProps) {
  const { texts, language } = useView()
  const { backOffice } = texts
  const pages = Math.max(Math.ceil(orders.length / PAGE_ORDERS_MAX), 1)
  const page = Math.min(Math.max(asked, 1), pages)
  const shown = orders.slice((page - 1) * PAGE_ORDERS_MAX, page * PAGE_ORDERS_MAX)
  return (
    <div class="frame stack">
      <div class="row">
        <h1>{backOffice.title}</h1>
        <p class="hint">{countText(backOffice.found, orders.length, language)}</p>
      </div>
      <DemoHint>{backOffice.openNote}</DemoHint>
      {orders.length === 0 ? (
        <p class="card">{backOffice.empty}</p>
      ) : (
        <OrderList orders={shown} base="/back-office/orders" showsEmail />
      )}
      {pages > 1 && (
        <nav class="pagination" aria-label={backOffice.pages}>
          {page > 1 && <a href={`/back-office?page=${page - 1}`}>{backOffice.newer}</a>}
          <span>{fill(backOffice.page, { page, pages })}</span>
          {page < pages && <a href={`/back-office?page=${page + 1}`}>{backOffice.older}</a>}
        </nav>
      )}
    </div>
  )
}

/** An order with its form for a refund, and why the last one was refused. */
export interface RefundProps extends OrderProps {
  readonly form: RefundForm
  readonly problem: RefundProblem | undefined
}

interface OrderPageProps extends RefundProps {
  /** Whether the service reported where the order stands. */
  readonly isCurrent: boolean
}

/** One order, as the shop's people see it. */
export function BackOfficeOrderPage(props: OrderPageProps) {
  const { order, isCurrent } = props
  const { texts } = useView()
  const { backOffice } = texts
  const code = orderKey(order)
  return (
    <div class="frame">
      <p class="breadcrumb">
        <a href="/back-office">{backOffice.title}</a>
      </p>
      <FollowedOrder order={order} path={`/back-office/orders/${code}`}>
        <div class="row">
          <h1>{fill(texts.order.title, { code })}</h1>
          <StateBadge order={order} />
        </div>
        <p class="lead">
          <StateMeaning order={order} />
        </p>
        {!isCurrent && (
          <p class="problem" role="alert" data-testid="not-current">
            {backOffice.notCurrent}
          </p>
        )}
        <div class="columns">
          <div class="stack">
            <DeclineDetails order={order} />
            <OrderDetails order={order} />
            <OrderHistory order={order} />
          </div>
          <div class="stack">
            <RefundSection {...props} />
            <PlayHint order={order} />
            <DemoHint>{backOffice.openNote}</DemoHint>
          </div>
        </div>
      </FollowedOrder>
    </div>
  )
}

/** What the state means for the shop's people, and what to do. */
function StateMeaning({ order }: OrderProps) {
  const { meanings } = useView().texts.backOffice
  if (isRefundFailed(order)) return <>{meanings.refundFailed}</>
  return <>{order.isCaptureFailed ? meanings.captureFailed : meanings[order.state]}</>
}

/** Why a card was declined, in full: the customer reads less. */
function DeclineDetails({ order: { payment } }: OrderProps) {
  const { texts, language, time } = useView()
  const { decline: words } = texts.backOffice
  const decline = payment.kind === 'card' ? payment.decline : undefined
  if (decline === undefined) return null
  const { reason, code, 'retry-date': retryDate } = decline
  const { meaning, advice } = explainDecline(reason, language)
  const retryMs = retryDate === undefined ? undefined : Date.parse(retryDate)
  return (
    <section class="card" aria-labelledby="decline" data-testid="decline">
      <h2 id="decline">{words.title}</h2>
      <dl class="facts">
        <dt>{words.reason}</dt>
        <dd>
          <code>{reason}</code> {meaning}
        </dd>
        {code !== undefined && (
          <>
            <dt>{words.code}</dt>
            <dd>
              <code>{code}</code>
            </dd>
          </>
        )}
        <dt>{words.advice}</dt>
        <dd>{advice}</dd>
        <dt>{words.retry}</dt>
        <dd>{retryMs === undefined ? words.no : fill(words.from, { time: time(retryMs) })}</dd>
      </dl>
    </section>
  )
}

/** The refunds of an order, and the form that asks for another. */
function RefundSection(props: RefundProps) {
  const { order, problem } = props
  const { backOffice } = useView().texts
  return (
    <section class="card stack" aria-labelledby="refund">
      <h2 id="refund">{backOffice.refunds}</h2>
      {problem !== undefined && (
        <div
          class="problem"
          role="alert"
          tabindex={-1}
          autofocus
          data-testid="refund-problem"
          data-error-code={problem}
        >
          <h3>{backOffice.problemTitle}</h3>
          <p>{backOffice.problems[problem]}</p>
        </div>
      )}
      {order.refunds.length > 0 && <RefundList order={order} isForShop />}
      <Refundable {...props} />
    </section>
  )
}

function Refundable(props: RefundProps) {
  const { order } = props
  const { backOffice } = useView().texts
  if (hasRunningRefund(order)) return <p class="hint">{backOffice.refundRunning}</p>
  if (order.state === 'chargeback') return <p class="hint">{backOffice.disputed}</p>
  if (refundableCentavos(order) > 0) return <RefundFields {...props} />
  const isSpent = order.refunds.length > 0
  return <p class="hint">{isSpent ? backOffice.nothingLeft : backOffice.notRefundable}</p>
}

function RefundFields({ order, form, problem }: RefundProps) {
  const { texts, money, shop } = useView()
  const { backOffice } = texts
  const isPlayed = shop.environment === 'sandbox'
  const isWrong = problem === 'amount_invalid' || problem === 'amount_too_high'
  const extents = [
    ['full', fill(backOffice.everything, { amount: money(refundableCentavos(order)) })],
    ['partial', backOffice.partly],
  ] as const
  return (
    <form
      method="post"
      action={`/back-office/orders/${orderKey(order)}/refunds`}
      class="refund-form stack"
    >
      <input type="hidden" name="attempt" value={form.attempt} />
      <div class="choices" role="radiogroup" aria-label={backOffice.extent}>
        {extents.map(([value, label]) => (
          <Choice
            input={{ name: 'extent', value, checked: form.isPartial === (value === 'partial') }}
          >
            {label}
          </Choice>
        ))}
      </div>
      <div class="fields">
        <FormField
          id="refund-amount"
          name="amount"
          label={backOffice.amount}
          hint={backOffice.amountHint}
          error={isWrong ? backOffice.problems[problem] : undefined}
          inputmode="decimal"
          value={form.amount}
          maxlength={12}
          autocomplete="off"
        />
        <FormField
          id="refund-reference"
          name="reference"
          label={backOffice.reference}
          hint={isPlayed ? backOffice.playedReferenceHint : backOffice.referenceHint}
          value={form.reference}
          maxlength={64}
          autocomplete="off"
        />
      </div>
      <button>{backOffice.refund}</button>
    </form>
  )
}
