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
import { CardSection } from './card-section.js'
import { NotificationCard } from './notifications.js'
import { PaymentSection } from './payment-section.js'
import { PixSection } from './pix-section.js'
import { RefundSection } from './refund-section.js'
import { RequestCard } from './requests.js'
import { StatusBadge } from './status-badge.js'

/** What the page reports of a change of a transaction's status. */
const STATUS_FLASHES = {
  changed: 'status-notified',
  'not-allowed': 'status-not-allowed',
  'not-found': 'gone',
} as const

/** What it reports of the end of a refund. */
const REFUND_FLASHES = { 'not-allowed': 'refund-ended', 'not-found': 'gone' } as const

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
          {...details}
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
    return STATUS_FLASHES[await backOffice.changeStatus(storeId, code, status)]
  })

  action('/refunds/:id', async ({ c, storeId }, form) => {
    const { id = '' } = c.req.param()
    const outcome = form.get('status')
    if (outcome !== 'PROCESSED' && outcome !== 'REJECTED') return 'form-incomplete'
    const change = await backOffice.finishRefund(storeId, id, outcome)
    if (change !== 'changed') return REFUND_FLASHES[change]
    return outcome === 'PROCESSED' ? 'refund-processed' : 'refund-rejected'
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

interface TransactionBodyProps extends TransactionDetails {
  readonly requests: readonly RecordedRequest[]
  readonly sandboxUrl: string
  readonly areRefundsByHand: boolean
}

/** Everything that happened to one transaction, and what may happen next. */
function TransactionBody(props: TransactionBodyProps) {
  const { transaction, refunds, notifications, history, pix } = props
  const texts = useView().texts.transaction
  return (
    <>
      <div class="columns">
        <div class="stack">
          <BankSection {...transaction} />
          {pix !== undefined && <PixSection {...pix} />}
          <CardSection {...props} />
          <PaymentSection transaction={transaction} sandboxUrl={props.sandboxUrl} />
          <RefundSection
            status={transaction.status}
            refunds={refunds}
            areByHand={props.areRefundsByHand}
          />
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
        {props.requests.length === 0 && <p class="hint">{texts.noRequests}</p>}
        {props.requests.map((request) => (
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
