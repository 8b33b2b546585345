import { TRANSACTION_STATUSES } from '@cofre/contracts'
import type { Transaction, TransactionDetails } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import type { RecordedRequest } from '@cofre/sandbox'
import type { PanelParts } from '../frame/panel-parts.js'
import { Facts, Time } from '../frame/parts.js'
import type { StorePages } from '../frame/store-pages.js'
import { useView } from '../frame/visit.js'
import { formatMoney } from '../text/format.js'
import { BankSection } from './bank-section.js'
import { NotificationCard } from './notifications.js'
import { PaymentSection } from './payment-section.js'
import { RefundSection } from './refund-section.js'
import { RequestCard } from './requests.js'
import { StatusBadge } from './status-badge.js'

const REFUND_OUTCOMES = {
  PROCESSED: 'refund-processed',
  REJECTED: 'refund-rejected',
} as const

export function transactionPages({ page, action }: StorePages, parts: PanelParts): void {
  const { backOffice, sandbox, sandboxUrl } = parts

  page('/transactions/:code', 'transactions', async ({ c, storeId, view }) => {
    const { code = '' } = c.req.param()
    const details = await backOffice.findTransaction(storeId, code)
    if (details === undefined) return undefined
    const requests = await sandbox.requests.findOf(storeId, code)
    const { refund } = await sandbox.modes.modesOf(storeId)
    const { reference } = details.transaction
    return {
      title: fill(view.texts.transaction.title, { reference }),
      heading: <Heading {...details.transaction} />,
      body: (
        <TransactionBody
          details={details}
          requests={requests}
          sandboxUrl={sandboxUrl}
          areRefundsByHand={refund.kind === 'by-hand'}
        />
      ),
    }
  })

  action('/transactions/:code/status', async ({ c, storeId }, form) => {
    const { code = '' } = c.req.param()
    const status = TRANSACTION_STATUSES.find((known) => known === form.get('status'))
    if (status === undefined) return 'form-incomplete'
    switch (await backOffice.changeStatus(storeId, code, status)) {
      case 'changed':
        return 'status-notified'
      case 'not-allowed':
        return 'status-not-allowed'
      case 'not-found':
        return 'gone'
    }
  })

  action('/refunds/:id', async ({ c, storeId }, form) => {
    const { id = '' } = c.req.param()
    const outcome = form.get('status')
    if (outcome !== 'PROCESSED' && outcome !== 'REJECTED') return 'form-incomplete'
    switch (await backOffice.finishRefund(storeId, id, outcome)) {
      case 'changed':
        return REFUND_OUTCOMES[outcome]
      case 'not-allowed':
        return 'refund-ended'
      case 'not-found':
        return 'gone'
    }
  })
}

function Heading({ amountMinor, reference, status }: Transaction) {
  const view = useView()
  const { statuses, transaction: texts } = view.texts
  return (
    <>
      <p class="minor">
        <a href="/transactions">{texts.all}</a>
      </p>
      <header class="page-head actions">
        <h1>
          <span class="visually-hidden">{fill(texts.title, { reference: '' })}</span>
          {reference}
        </h1>
        <StatusBadge status={status} />
        <span class="minor">{statuses[status]}</span>
        <strong class="number end">{formatMoney(amountMinor, view.language)}</strong>
      </header>
    </>
  )
}

interface TransactionBodyProps {
  readonly details: TransactionDetails
  readonly requests: readonly RecordedRequest[]
  readonly sandboxUrl: string
  readonly areRefundsByHand: boolean
}

/** Everything that happened to one transaction, and what may happen next. */
function TransactionBody(props: TransactionBodyProps) {
  const { details, requests, sandboxUrl, areRefundsByHand } = props
  const { transaction, refunds, notifications, history } = details
  const texts = useView().texts.transaction
  return (
    <>
      <div class="columns">
        <div class="stack">
          <BankSection {...transaction} />
          <PaymentSection transaction={transaction} sandboxUrl={sandboxUrl} />
          <RefundSection refunds={refunds} areByHand={areRefundsByHand} />
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
      <section>
        <h2>{texts.requests}</h2>
        {requests.length === 0 && <p class="hint">{texts.noRequests}</p>}
        {requests.map((request) => (
          <RequestCard {...request} />
        ))}
      </section>
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
          [texts.document, transaction.payerDocument],
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
