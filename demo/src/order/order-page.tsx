import { fill } from '@cofre/pages'
import { type Order, orderKey } from '../model/order.js'
import { SecurityNote, ShopNotice } from '../page/layout.js'
import { Icon, useView } from '../page/view.js'
import { noticeOf } from '../texts/order-words.js'
import {
  FollowedOrder,
  OrderDetails,
  OrderHistory,
  OrderList,
  type OrderProps,
  PlayHint,
  RefundList,
  StateBadge,
  TONES,
} from './order-parts.js'
import { PaymentInstructions } from './payment-instructions.js'

/** The orders that were placed in this browser. */
export function OrderListPage({ orders }: { readonly orders: readonly Order[] }) {
  const { order: texts } = useView().texts
  if (orders.length === 0) return <ShopNotice {...texts.listEmpty} />
  return (
    <div class="frame narrow">
      <h1>{texts.listTitle}</h1>
      <OrderList orders={orders} />
    </div>
  )
}

/** One order, as it stands. */
export function OrderPage({ order }: OrderProps) {
  const { texts, language } = useView()
  const code = orderKey(order)
  const path = `/orders/${code}`
  return (
    <div class="frame narrow">
      <p class="breadcrumb">
        <a href="/orders">{texts.order.listTitle}</a>
      </p>
      <FollowedOrder order={order} path={path}>
        <div class="row">
          <h1>{fill(texts.order.title, { code })}</h1>
          <StateBadge order={order} />
        </div>
        <p class="lead">{noticeOf(order, texts, language).text}</p>
        <PaymentInstructions order={order} />
        {order.state === 'paid' && <PlayHint order={order} />}
        <NextStep order={order} path={path} />
        <OrderHistory order={order} />
        {order.refunds.length > 0 && (
          <section class="card" aria-labelledby="refunds">
            <h2 id="refunds">{texts.order.refunds}</h2>
            <RefundList order={order} />
          </section>
        )}
        <OrderDetails order={order} />
      </FollowedOrder>
    </div>
  )
}

/** What became of a payment, right after it. */
export function ResultPage({ order }: OrderProps) {
  const { texts, language } = useView()
  const { payment, state } = order
  const { title, text } = noticeOf(order, texts, language)
  const path = `/result/${order.reference}`
  return (
    <div class="frame narrow">
      <FollowedOrder order={order} path={path}>
        <div class="stack" data-testid="result" data-state={state}>
          <span class={`state-icon ${TONES[state]}`}>
            <Icon name={TONES[state]} />
          </span>
          <h1>{title}</h1>
          <p class="lead">{text}</p>
          {payment.kind === 'card' && payment.isCardSaved && (
            <SecurityNote>{texts.order.cardSaved}</SecurityNote>
          )}
          <PaymentInstructions order={order} />
          <NextStep order={order} path={path} />
          <OrderDetails order={order} />
        </div>
      </FollowedOrder>
    </div>
  )
}

interface NextStepProps extends OrderProps {
  /** The page this is on. */
  readonly path: string
}

/** What the customer may do next. Without script, a button asks where the order stands. */
function NextStep({ order, path }: NextStepProps) {
  const { order: texts, shop } = useView().texts
  const address = `/orders/${orderKey(order)}`
  const link = (href: string, text: string) => (
    <a class="button quiet" href={href}>
      {text}
    </a>
  )
  const follow = path !== address && link(address, texts.view)
  switch (order.state) {
    case 'rejected':
      return (
        <p class="actions">
          <a class="button" href="/checkout">
            {order.payment.kind === 'card' ? texts.tryAnotherCard : texts.tryAnotherMethod}
          </a>
          {link('/cart', texts.backToCart)}
        </p>
      )
    case 'processing':
    case 'unknown':
    case 'pending':
    case 'review':
      return (
        <form class="actions" method="post" action={`${path}/check`}>
          <button class="quiet">{texts.checkAgain}</button>
          {follow}
        </form>
      )
    case 'cancelled':
    case 'expired':
    case 'unpaid':
      return (
        <form class="actions" method="post" action={`${address}/again`}>
          <button>{texts.buyAgain}</button>
          {follow}
        </form>
      )
    case 'paid':
    case 'refunded':
    case 'chargeback':
      return (
        <p class="actions">
          {follow}
          {link('/', shop.backToShop)}
        </p>
      )
  }
}

interface LeavingPageProps {
  readonly name: string
  readonly url: string
}

/** What shows for a moment between the shop and the wallet, or the card's bank. */
export function LeavingPage({ name, url }: LeavingPageProps) {
  const { wallet } = useView().texts.order
  return (
    <ShopNotice title={fill(wallet.leaving, { name })} text={wallet.leavingText}>
      <p>
        <a class="button" href={url}>
          {fill(wallet.goOn, { name })}
        </a>
      </p>
    </ShopNotice>
  )
}
