import { PAYMENT_TYPES, TRANSACTION_STATUSES } from '@cofre/contracts'
import type { Page, TransactionSummary } from '@cofre/sandbox'
import { formatCount, formatMoney } from '../language/format.js'
import { Notice } from '../page/notice.js'
import { Pagination } from '../page/pagination.js'
import { Copyable, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { StatusBadge } from './status-badge.js'
import { type FilterFields, isFiltered } from './transaction-filter.js'
import { transactionListMessages } from './transaction-list-messages.js'
import { transactionWords } from './transaction-words.js'

interface TransactionListProps {
  readonly view: View
  readonly transactions: Page<TransactionSummary>
  readonly fields: FilterFields
  /** Commands that create a first transaction. */
  readonly commands: string
  readonly demoShopUrl: string | undefined
}

export function TransactionListPage(props: TransactionListProps) {
  const { view, transactions, fields } = props
  const texts = transactionListMessages[view.language]
  if (transactions.found === 0 && !isFiltered(fields)) return <FirstTransaction {...props} />
  return (
    <>
      <h1>{texts.title}</h1>
      <Filter {...props} />
      {transactions.found === 0 ? (
        <Notice {...texts.nothingFound}>
          <a class="button" href="/transactions">
            {texts.filter.clear}
          </a>
        </Notice>
      ) : (
        <>
          <p class="found">{texts.found(formatCount(transactions.found, view.language))}</p>
          <TransactionTable {...props} />
        </>
      )}
      <Pagination view={view} of={transactions} />
    </>
  )
}

function FirstTransaction({ view, commands, demoShopUrl }: TransactionListProps) {
  const texts = transactionListMessages[view.language]
  return (
    <>
      <h1>{texts.title}</h1>
      <Notice {...texts.empty}>
        {demoShopUrl !== undefined && (
          <p>
            {texts.demoShop.text}{' '}
            <a href={demoShopUrl} target="_blank" rel="noopener">
              {texts.demoShop.link}
            </a>
            .
          </p>
        )}
        <Copyable view={view} id="first-transaction" text={commands} label={texts.curl} block />
        <p class="hint">{texts.emptySignIn}</p>
      </Notice>
    </>
  )
}

function Filter({ view, fields }: TransactionListProps) {
  const texts = transactionListMessages[view.language].filter
  const words = transactionWords[view.language]
  const statuses = TRANSACTION_STATUSES.map((value) => ({
    value,
    text: `${value} · ${words.statuses[value]}`,
  }))
  const methods = PAYMENT_TYPES.map((value) => ({ value, text: words.methods[value] }))
  return (
    <form class="filter card" role="search" aria-label={texts.title} action="/transactions">
      <label class="wide">
        {texts.text}
        <input type="search" name="text" value={fields.text} maxlength={100} />
      </label>
      <Choice name="status" label={texts.status} chosen={fields.status} options={statuses}>
        {texts.any}
      </Choice>
      <Choice name="method" label={texts.method} chosen={fields.method} options={methods}>
        {texts.any}
      </Choice>
      <label>
        {texts.from}
        <input type="date" name="from" value={fields.from} />
      </label>
      <label>
        {texts.until}
        <input type="date" name="until" value={fields.until} />
      </label>
      <div class="actions">
        <button>{texts.apply}</button>
        {isFiltered(fields) && <a href="/transactions">{texts.clear}</a>}
      </div>
    </form>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly chosen: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** What choosing nothing is called. */
  readonly children: string
}

function Choice({ name, label, chosen, options, children }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">{children}</option>
        {options.map(({ value, text }) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function TransactionTable({ view, transactions }: TransactionListProps) {
  const { columns, title } = transactionListMessages[view.language]
  const { methods, statuses } = transactionWords[view.language]
  return (
    <table class="list" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{columns.reference}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col">{columns.method}</th>
          <th scope="col">{columns.payer}</th>
          <th scope="col">{columns.created}</th>
          <th scope="col" class="number">
            {columns.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {transactions.items.map((transaction) => (
          <tr>
            <th scope="row" data-label={columns.reference}>
              <a class="row-link" href={`/transactions/${transaction.code}`}>
                {transaction.reference}
              </a>
              <code class="minor">{transaction.code}</code>
            </th>
            <td data-label={columns.status}>
              <StatusBadge status={transaction.status} />
              <span class="minor">{statuses[transaction.status]}</span>
            </td>
            <td data-label={columns.method}>
              {methods[transaction.method]}
              {isTelling(transaction) && <span class="minor">{transaction.subType}</span>}
            </td>
            <td data-label={columns.payer}>{transaction.payerEmail}</td>
            <td data-label={columns.created}>
              <Time view={view} ms={transaction.createdAtMs} />
            </td>
            <td data-label={columns.amount} class="number">
              {formatMoney(transaction.amountMinor, view.language)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The sub-type of a PIX is PIX, and of a boleto, boleto. */
function isTelling({ method }: TransactionSummary): boolean {
  return method === 'credit-card' || method === 'e-wallet'
}
