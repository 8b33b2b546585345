import type { Environment } from '@cofre/contracts'
import {
  type Transaction,
  capturedSums,
  isAuthorized,
  metadataOf,
  paymentStatusOf,
} from '@cofre/gateway/room'
import {
  type AccountNames,
  accountNames,
  Facts,
  Time,
  type ConsolePages,
  useView,
  useTexts,
  formatMoney,
  partlyCaptured,
  partlyRefunded,
  type SimulatedPayment,
  portAt,
  shownDocument,
  shownEmail,
  shownName,
  StatusBadge,
} from '@cofre/panel/page'
import type { PossibleActs } from '../../model/payment-acts.js'
import type { TransactionDetails } from '../../model/payment-file.js'
import { fill, properName } from '@cofre/pages'
import type { Act } from '@cofre/panel/page'
import type { Child } from 'hono/jsx'
import { PaymentActs, findActedOn } from './acts/payment-acts.js'
import { BankChargeSection } from './bank-charge-section.js'
import { CardSection } from './card-section.js'
import { HistorySection } from './history-section.js'
import type { PaymentParts, ShownLink } from './parts.js'
import { paymentHistory } from './payment-history.js'
import { MetadataFacts } from './metadata-facts.js'
import { PaymentSection } from './payment-section.js'
import { RefundSection } from './refund-section.js'
import { PAYMENT_TEXTS } from './texts.js'

export function transactionPage({ page }: ConsolePages, parts: PaymentParts): void {
  const simulatedOf = parts.simulated?.ofPayment
  page('/payments/:code', async (visit) => {
    const { c, environment, gateway, storeId, view } = visit
    const { code = '' } = c.req.param()
    const found = await findActedOn(parts, visit)
    if (found === undefined) return undefined
    const { details, possible } = found
    const simulated =
      environment === 'sandbox' ? await simulatedOf?.(storeId, details.transaction) : undefined
    const done = (await parts.people?.acts.of(storeId, code)) ?? []
    const { transaction } = details
    const [link, slipPath, accounts] = await Promise.all([
      portAt(parts.linkOf, visit)(storeId, code),
      portAt(parts.desks, visit).bankSlipPath(transaction),
      accountNames(gateway, storeId),
    ])
    return {
      title: fill(PAYMENT_TEXTS[view.language].transaction.title, {
        reference: transaction.reference,
      }),
      heading: <Heading {...details} />,
      body: (
        <TransactionBody
          {...details}
          possible={possible}
          link={link}
          simulated={simulated}
          apiUrl={gateway.apiUrl}
          slipPath={slipPath}
          accounts={accounts}
          NotificationCard={parts.NotificationCard}
          history={<HistorySection {...historyProps(details, done, environment)} />}
        />
      ),
    }
  })
}

function Heading({ transaction, refunds }: TransactionDetails) {
  const { amountMinor, reference } = transaction
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].transaction
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
        <StatusBadge status={paymentStatusOf(transaction)} />
        {transaction.example && <span class="badge">{view.texts.payments.example}</span>}
        <span class="minor">{partlyCaptured(view, transaction)}</span>
        <span class="minor">{partlyRefunded(view, transaction, refunds)}</span>
        <strong class="number end">{formatMoney(amountMinor, view.language)}</strong>
      </header>
    </>
  )
}

function historyProps(details: TransactionDetails, acts: readonly Act[], environment: Environment) {
  return { entries: paymentHistory(details, acts, environment) }
}

interface TransactionBodyProps
  extends Omit<TransactionDetails, 'history'>, Pick<PaymentParts, 'NotificationCard'> {
  readonly possible: PossibleActs
  /** The link of the payment. */
  readonly link: ShownLink | undefined
  readonly history: Child
  readonly simulated: SimulatedPayment | undefined
  readonly apiUrl: string
  /** The path of its PDF by its bank. */
  readonly slipPath: string | undefined
  readonly accounts: AccountNames
}

/** The history of one transaction, and its possible actions. */
function TransactionBody(props: TransactionBodyProps) {
  const { transaction, notifications, history, bankCharge, simulated, possible } = props
  const { NotificationCard } = props
  const texts = useTexts(PAYMENT_TEXTS).transaction
  return (
    <>
      <div class="columns">
        <div class="stack">
          {simulated?.bank}
          <PaymentActs transaction={transaction} possible={possible} />
          {bankCharge !== undefined && <BankChargeSection {...bankCharge} />}
          <CardSection {...props} />
          <PaymentSection {...props} />
          <RefundSection
            {...props}
            status={transaction.status}
            mayRefund={possible.refund.obstacle === undefined}
            simulated={simulated?.refunds}
          />
        </div>
        <div class="stack">
          <TransactionFacts {...transaction} payerName={props.payerName} link={props.link} />
          {history}
        </div>
      </div>
      <section>
        <h2>{texts.notifications}</h2>
        {notifications.length === 0 && <p class="hint">{texts.noNotifications}</p>}
        {notifications.map((one) => (
          <NotificationCard details={one} headingLevel="h3" />
        ))}
      </section>
      {simulated?.requests}
    </>
  )
}

/** True if the card is charged only once it is captured, or never. */
function isOnlyAuthorized({ capture }: Pick<Transaction, 'capture'>): boolean {
  return capture !== undefined && capture.state !== 'captured'
}

type TransactionFactsProps = Transaction &
  Pick<TransactionDetails, 'payerName'> &
  Pick<TransactionBodyProps, 'link'>

function TransactionFacts({ link, ...transaction }: TransactionFactsProps) {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].transaction
  const { methods } = view.texts
  const { amountMinor, capture, cardLastFour, installments, paymentType } = transaction
  const captured = capturedSums(transaction)
  const money = (amount: typeof amountMinor) => formatMoney(amount, view.language)
  const time = (ms: number | undefined) => ms !== undefined && <Time ms={ms} />
  const brand = properName(transaction.subType ?? '')
  const metadata = metadataOf(transaction)
  return (
    <section class="card">
      <h2>{texts.details}</h2>
      <Facts
        facts={[
          [texts.code, <code>{transaction.code}</code>],
          [
            texts.link,
            link !== undefined && (
              <a href={view.at(`/payment-links/${link.id}`)}>{link.reference}</a>
            ),
          ],
          [texts.amount, money(amountMinor)],
          [texts.captured, capture?.state === 'captured' && money(captured.amountMinor)],
          [
            texts[isOnlyAuthorized(transaction) ? 'authorized' : 'charged'],
            captured.chargedMinor !== captured.amountMinor && money(captured.chargedMinor),
          ],
          [texts.captureBefore, isAuthorized(transaction) && time(capture?.beforeMs)],
          [texts.method, methods[paymentType]],
          [
            texts.card,
            cardLastFour !== undefined && fill(texts.cardEnding, { brand, lastFour: cardLastFour }),
          ],
          [texts.installments, paymentType === 'credit-card' && installments],
          [texts.name, transaction.payerName !== '' && shownName(transaction.payerName, view)],
          [texts.payer, shownEmail(transaction.payerEmail, view)],
          [texts.document, shownDocument(transaction.payerDocument, view)],
          [texts.description, transaction.description],
          [texts.notificationUrl, <code>{transaction.notificationUrl}</code>],
          [
            texts.events,
            view.may('events:read') && (
              <a href={view.at(`/events?payment=${transaction.code}`)}>{texts.ofPayment}</a>
            ),
          ],
          [texts.created, time(transaction.createdAtMs)],
          [texts.paid, time(transaction.paidAtMs)],
          [texts.expires, time(transaction.expiresAtMs)],
        ]}
      />
      {Object.keys(metadata).length > 0 && (
        <>
          <h3>{texts.metadata}</h3>
          <MetadataFacts metadata={metadata} />
        </>
      )}
    </section>
  )
}
