import { DAY_MS, PAYMENT_TYPES, TRANSACTION_STATUSES, isCalendarDate } from '@cofre/contracts'
import type { Transaction, TransactionListQuery, TransactionPage } from '@cofre/gateway'
import { Notice, countText } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import { Pagination, readPage } from '../frame/pagination.js'
import { Select, Time } from '../frame/parts.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { type Visit, useView } from '../frame/visit.js'
import { formatMoney } from '../text/format.js'
import { StatusBadge } from '../frame/status-badge.js'

/** The filter's form as it was typed. */
interface FilterFields {
  readonly status: string
  readonly method: string
  readonly from: string
  readonly until: string
  readonly text: string
}

/** @param whenThereIsNone - What a store without payments is shown. */
export function transactionListPage(
  { page }: ConsolePages,
  whenThereIsNone?: (visit: Visit) => Promise<Child>,
): void {
  page('/payments', 'transactions', async (visit) => {
    const { c, gateway, storeId, view } = visit
    const { status = '', method = '', from = '', until = '', text = '' } = c.req.query()
    const fields = { status, method, from, until, text: text.trim() }
    const query = { ...filterOf(fields), ...readPage(c.req.query('page')) }
    const { items, found, withSurplus } = await gateway.backOffice.listTransactions(storeId, query)
    const isFiltered = Object.values(fields).some((value) => value !== '')
    const shownFirst =
      found === 0 && !isFiltered && whenThereIsNone !== undefined && visit.environment === 'sandbox'
    if (shownFirst) return { body: await whenThereIsNone(visit) }
    const texts = view.texts.transactions
    const body = (
      <>
        <Filter fields={fields} isFiltered={isFiltered} />
        {found === 0 ? (
          <Notice {...texts.noneFound}>
            <a class="button quiet" href={view.at('/payments')}>
              {texts.clear}
            </a>
          </Notice>
        ) : (
          <>
            <p class="minor">{countText(texts.found, found, view.language)}</p>
            <TransactionTable items={items} withSurplus={withSurplus} />
          </>
        )}
        <Pagination found={found} />
      </>
    )
    return { body }
  })
}

/** What makes no sense filters nothing: nobody types these by hand. */
function filterOf(fields: FilterFields): Omit<TransactionListQuery, 'page' | 'pageSize'> {
  const lastDayMs = startOfDay(fields.until)
  return {
    status: TRANSACTION_STATUSES.find((known) => known === fields.status),
    paymentType: PAYMENT_TYPES.find((known) => known === fields.method),
    fromMs: startOfDay(fields.from),
    untilMs: lastDayMs === undefined ? undefined : lastDayMs + DAY_MS,
    text: fields.text,
  }
}

/** When a day begins in Brasília, three hours behind UTC all year. */
function startOfDay(day: string): number | undefined {
  return isCalendarDate(day) ? Date.parse(`${day}T00:00:00-03:00`) : undefined
}

interface FilterProps {
  readonly fields: FilterFields
  readonly isFiltered: boolean
}

function Filter({ fields, isFiltered }: FilterProps) {
  const { at, texts: all } = useView()
  const { transactions: texts, statuses, methods } = all
  const statusOptions = Object.fromEntries(
    Object.entries(statuses).map(([status, text]) => [status, `${status} · ${text}`]),
  )
  const choices = [
    { name: 'status', label: texts.status, chosen: fields.status, options: statusOptions },
    { name: 'method', label: texts.method, chosen: fields.method, options: methods },
  ]
  return (
    <form
      class="filter card tiles"
      role="search"
      aria-label={texts.filter}
      action={at('/payments')}
    >
      <label class="wide">
        {texts.text}
        <input type="search" name="text" value={fields.text} maxlength={100} />
      </label>
      {choices.map((choice) => (
        <Select {...choice} any={texts.any} />
      ))}
      {(['from', 'until'] as const).map((name) => (
        <label>
          {texts[name]}
          <input type="date" name={name} value={fields[name]} />
        </label>
      ))}
      <div class="actions">
        <button>{texts.apply}</button>
        {isFiltered && <a href={at('/payments')}>{texts.clear}</a>}
      </div>
    </form>
  )
}

type TransactionTableProps = Pick<TransactionPage, 'items' | 'withSurplus'>

function TransactionTable({ items, withSurplus }: TransactionTableProps) {
  const texts = useView().texts.transactions
  const columns = ['reference', 'status', 'method', 'payer', 'created', 'amount'] as const
  return (
    <table class="list card" aria-label={texts.title}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={column === 'amount' ? 'number' : undefined}>
              {texts[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((transaction) => (
          <Row {...transaction} hasSurplus={withSurplus.has(transaction.code)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ hasSurplus, ...transaction }: Transaction & { readonly hasSurplus: boolean }) {
  const view = useView()
  const { transactions: texts, methods, statuses } = view.texts
  const { code, reference, status, paymentType, payerEmail, createdAtMs, amountMinor } = transaction
  return (
    <tr>
      <th scope="row" data-label={texts.reference}>
        <a class="row-link" href={view.at(`/payments/${code}`)}>
          {reference}
        </a>
        <code class="minor">{code}</code>
      </th>
      <td data-label={texts.status}>
        <StatusBadge status={status} />
        <span class="minor">{statuses[status]}</span>
        {hasSurplus && <span class="badge waiting">{texts.surplus}</span>}
      </td>
      <td data-label={texts.method}>
        <span>{methods[paymentType]}</span>
        {saysMore(transaction) && <span class="minor">{transaction.subType}</span>}
      </td>
      <td data-label={texts.payer}>{payerEmail}</td>
      <td data-label={texts.created}>
        <Time ms={createdAtMs} />
      </td>
      <td data-label={texts.amount} class="number">
        {formatMoney(amountMinor, view.language)}
      </td>
    </tr>
  )
}

/** The sub-type of a PIX is PIX, and of a boleto, boleto. */
function saysMore({ paymentType }: Transaction): boolean {
  return paymentType === 'credit-card' || paymentType === 'e-wallet'
}
