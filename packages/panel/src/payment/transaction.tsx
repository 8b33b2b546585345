import type { Transaction, TransactionDetails } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import { Facts, Time } from '../frame/parts.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { useView } from '../frame/visit.js'
import { formatMoney } from '../text/format.js'
import { CardSection } from './card-section.js'
import { partlyRefunded } from './partly-refunded.js'
import { shownDocument } from './shown-payer.js'
import { NotificationCard } from '../notification/notifications.js'
import { PaymentSection } from './payment-section.js'
import { PixSection } from './pix-section.js'
import { type PlayedRefunds, RefundSection } from './refund-section.js'
import { StatusBadge } from '../frame/status-badge.js'

/** What a payment's page has besides where its bank is played. */
export interface PlayedPayment {
  readonly bank: Child
  readonly requests: Child
  readonly refunds: PlayedRefunds
}

export type PlayedPaymentOf = (
  storeId: string,
  details: TransactionDetails,
) => Promise<PlayedPayment>

export function transactionPage(
  { page }: ConsolePages,
  playedOf: PlayedPaymentOf | undefined,
): void {
  page('/payments/:code', 'transactions', async ({ c, environment, gateway, storeId, view }) => {
    const { code = '' } = c.req.param()
    const details = await gateway.backOffice.findTransaction(storeId, code)
    if (details === undefined) return undefined
    const played = environment === 'sandbox' ? await playedOf?.(storeId, details) : undefined
    const { reference } = details.transaction
    return {
      title: fill(view.texts.transaction.title, { reference }),
      heading: <Heading {...details} />,
      body: <TransactionBody {...details} played={played} apiUrl={gateway.apiUrl} />,
    }
  })
}

function Heading({ transaction, refunds }: TransactionDetails) {
  const { amountMinor, reference, status } = transaction
  const view = useView()
  const { statuses, transaction: texts } = view.texts
  return (
    <>
      <p class="minor">
        <a href={view.at('/payments')}>{texts.all}</a>
      </p>
      <header class="page-head actions">
        <h1>
          <span class="visually-hidden">{fill(texts.title, { reference: '' })}</span>
          {reference}
        </h1>
        <StatusBadge status={status} />
        <span class="minor">{partlyRefunded(view, amountMinor, refunds) ?? statuses[status]}</span>
        <strong class="number end">{formatMoney(amountMinor, view.language)}</strong>
      </header>
    </>
  )
}

interface TransactionBodyProps extends TransactionDetails {
  readonly played: PlayedPayment | undefined
  readonly apiUrl: string
}

/** Everything that happened to one transaction, and what may happen next. */
function TransactionBody(props: TransactionBodyProps) {
  const { transaction, refunds, notifications, history, pix, played } = props
  const texts = useView().texts.transaction
  return (
    <>
      <div class="columns">
        <div class="stack">
          {played?.bank}
          {pix !== undefined && <PixSection {...pix} />}
          <CardSection {...props} />
          <PaymentSection transaction={transaction} apiUrl={props.apiUrl} />
          <RefundSection status={transaction.status} refunds={refunds} played={played?.refunds} />
        </div>
        <div class="stack">
          <TransactionFacts {...transaction} />
          <Timeline history={history} />
        </div>
      </div>
      <section>
        <h2>{texts.notifications}</h2>
        {notifications.length === 0 && <p class="hint">{texts.noNotifications}</p>}
        {notifications.map((one) => (
          <NotificationCard details={one} headingLevel="h3" />
        ))}
      </section>
      {played?.requests}
    </>
  )
}

function TransactionFacts(transaction: Transaction) {
  const view = useView()
  const { methods, transaction: texts } = view.texts
  const { amountMinor, chargedMinor, cardLastFour, installments, paymentType } = transaction
  const money = (amount: typeof amountMinor) => formatMoney(amount, view.language)
  const time = (ms: number | undefined) => ms !== undefined && <Time ms={ms} />
  const brand = transaction.subType ?? ''
  return (
    <section class="card">
      <h2>{texts.details}</h2>
      <Facts
        facts={[
          [texts.code, <code>{transaction.code}</code>],
          [texts.amount, money(amountMinor)],
          [texts.charged, chargedMinor !== amountMinor && money(chargedMinor)],
          [texts.method, methods[paymentType]],
          [
            texts.card,
            cardLastFour !== undefined && fill(texts.cardEnding, { brand, lastFour: cardLastFour }),
          ],
          [texts.installments, paymentType === 'credit-card' && installments],
          [texts.payer, transaction.payerEmail],
          [texts.document, shownDocument(transaction.payerDocument, view)],
          [texts.description, transaction.description],
          [texts.notificationUrl, <code>{transaction.notificationUrl}</code>],
          [texts.created, time(transaction.createdAtMs)],
          [texts.paid, time(transaction.paidAtMs)],
          [texts.expires, time(transaction.expiresAtMs)],
        ]}
      />
    </section>
  )
}

function Timeline({ history }: Pick<TransactionDetails, 'history'>) {
  const texts = useView().texts.transaction
  return (
    <section class="card">
      <h2>{texts.timeline}</h2>
      <ol class="timeline">
        {history.map(({ status, atMs }, index) => (
          <li class="row">
            <span>
              {index === 0 && `${texts.createdAs} `}
              <StatusBadge status={status} />
            </span>
            <Time ms={atMs} />
          </li>
        ))}
      </ol>
    </section>
  )
}
