import type { TransactionReport } from '@cofre/sandbox'
import { formatMoney } from '../language/format.js'
import { NotificationCard } from '../notification/notification-card.js'
import { Fact, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { RequestDetails } from '../request/request-details.js'
import { PaymentSection } from './payment-section.js'
import { RefundSection } from './refund-section.js'
import { SimulateSection } from './simulate-section.js'
import { StatusBadge } from './status-badge.js'
import { transactionMessages } from './transaction-messages.js'
import { transactionWords } from './transaction-words.js'

export interface TransactionPageProps {
  readonly view: View
  readonly transaction: TransactionReport
  readonly sandboxUrl: string
  readonly refundsByHand: boolean
}

/** Everything that happened to one transaction, and what may happen next. */
export function TransactionPage(props: TransactionPageProps) {
  const { view, transaction, refundsByHand } = props
  const texts = transactionMessages[view.language]
  return (
    <>
      <p class="crumb">
        <a href="/transactions">{texts.all}</a>
      </p>
      <header class="page-head">
        <h1>
          <span class="visually-hidden">{texts.title('')}</span>
          {transaction.reference}
        </h1>
        <StatusBadge status={transaction.status} />
        <span class="minor">{transactionWords[view.language].statuses[transaction.status]}</span>
        <strong class="amount">{formatMoney(transaction.amountMinor, view.language)}</strong>
      </header>
      <div class="columns">
        <div>
          <SimulateSection view={view} transaction={transaction} />
          <PaymentSection {...props} />
          <RefundSection view={view} transaction={transaction} byHand={refundsByHand} />
        </div>
        <div>
          <Details {...props} />
          <Timeline {...props} />
        </div>
      </div>
      <section>
        <h2>{texts.notifications}</h2>
        {transaction.notifications.length === 0 && <p class="hint">{texts.noNotifications}</p>}
        {transaction.notifications.map((notification) => (
          <NotificationCard view={view} notification={notification} headingLevel="h3" />
        ))}
      </section>
      <section>
        <h2>{texts.requests}</h2>
        {transaction.requests.length === 0 && <p class="hint">{texts.noRequests}</p>}
        {transaction.requests.map((request) => (
          <RequestDetails view={view} request={request} />
        ))}
      </section>
    </>
  )
}

function Details({ view, transaction }: TransactionPageProps) {
  const texts = transactionMessages[view.language]
  return (
    <section class="card">
      <h2>{texts.details}</h2>
      <dl class="facts">
        <Fact term={texts.code}>
          <code>{transaction.code}</code>
        </Fact>
        <PaymentFacts view={view} transaction={transaction} />
        <Fact term={texts.payer}>{transaction.payerEmail}</Fact>
        <Fact term={texts.document}>{transaction.payerDocument}</Fact>
        <Fact term={texts.description}>{transaction.description}</Fact>
        <Fact term={texts.notificationUrl}>
          <code>{transaction.notificationUrl}</code>
        </Fact>
        <Fact term={texts.created}>
          <Time view={view} ms={transaction.createdAtMs} />
        </Fact>
        {transaction.paidAtMs !== undefined && (
          <Fact term={texts.paid}>
            <Time view={view} ms={transaction.paidAtMs} />
          </Fact>
        )}
        {transaction.expiresAtMs !== undefined && (
          <Fact term={texts.expires}>
            <Time view={view} ms={transaction.expiresAtMs} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

function PaymentFacts({ view, transaction }: Pick<TransactionPageProps, 'view' | 'transaction'>) {
  const texts = transactionMessages[view.language]
  const { amountMinor, chargedMinor, installments, method, subType, cardLastFour } = transaction
  return (
    <>
      <Fact term={texts.amount}>{formatMoney(amountMinor, view.language)}</Fact>
      {chargedMinor !== amountMinor && (
        <Fact term={texts.charged}>{formatMoney(chargedMinor, view.language)}</Fact>
      )}
      <Fact term={texts.method}>{transactionWords[view.language].methods[method]}</Fact>
      {cardLastFour !== undefined && (
        <Fact term={texts.card}>{texts.cardEnding(subType ?? '', cardLastFour)}</Fact>
      )}
      {method === 'credit-card' && <Fact term={texts.installments}>{installments}</Fact>}
    </>
  )
}

function Timeline({ view, transaction }: TransactionPageProps) {
  const texts = transactionMessages[view.language]
  return (
    <section class="card">
      <h2>{texts.timeline}</h2>
      <ol class="timeline">
        {transaction.history.map(({ status, atMs }, index) => (
          <li>
            <span>
              {index === 0 && `${texts.createdAs} `}
              <StatusBadge status={status} />
            </span>
            <Time view={view} ms={atMs} />
          </li>
        ))}
      </ol>
    </section>
  )
}
