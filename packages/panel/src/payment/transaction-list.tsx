import { SECOND_MS } from '@cofre/contracts'
import type { ListedPayment, PaymentChoices, PaymentPage } from '@cofre/gateway'
import { Notice, fill } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import { CsvLinks } from '../export/csv-links.js'
import { csvResponse } from '../export/csv-response.js'
import { csvTime, readSeparator } from '../export/csv-format.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { CursorPagination, addressWith } from '../frame/cursor-pagination.js'
import { setFlash } from '../frame/flash.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { Select, Time } from '../frame/parts.js'
import { StatusBadge } from '../frame/status-badge.js'
import { type Visit, useView } from '../frame/visit.js'
import { formatDuration, formatMoney, formatTime } from '../text/format.js'
import { paymentsTable } from './payments-csv.js'
import { type FilterFields, hasChoices, isFiltered, queryOf, readFilter } from './payment-filter.js'
import { PayerSearch } from './payer-search-form.js'
import { partlyRefunded } from './partly-refunded.js'
import { shownEmail, shownName } from './shown-payer.js'

/** @param whenThereIsNone - What a store without payments is shown. */
export function transactionListPage(
  { page, file }: ConsolePages,
  parts: PanelParts,
  whenThereIsNone?: (visit: Visit) => Promise<Child>,
): void {
  page('/payments', 'transactions', async (visit) => {
    const { c, environment, gateway, storeId, view } = visit
    const { payments } = gateway
    const { after } = c.req.query()
    const fields = readFilter(c.req.query())
    const usesIndex = isFiltered(fields) || fields.sort !== ''
    const [found, choices, indexAgeMs] = await Promise.all([
      payments.find(storeId, { ...queryFor(visit, fields), after }),
      payments.choices(storeId),
      usesIndex ? payments.indexAgeMs() : 0,
    ])
    if (found.isCardNumber) {
      // Out of the address, which histories and bookmarks keep.
      setFlash(c, parts, 'card-number-typed')
      return c.redirect(addressWith(view.here, 'text', undefined), 303)
    }
    const isWhole = !usesIndex && after === undefined
    if (found.items.length === 0 && isWhole) {
      const isFirst = whenThereIsNone !== undefined && environment === 'sandbox'
      const { none } = view.texts.transactions
      return { body: isFirst ? await whenThereIsNone(visit) : <Notice {...none} /> }
    }
    const { title } = view.texts.transactions
    const hasOwn = found.items.some(({ transaction }) => transaction.example === undefined)
    const guide = isWhole && !hasOwn && environment === 'sandbox' && whenThereIsNone
    return {
      heading: <h1 class="visually-hidden">{title}</h1>,
      body: (
        <div class="payments stack">
          {guide && (
            <details class="card" data-keep="first-payment">
              <summary>{view.texts.transactions.examplesOnly}</summary>
              {await guide(visit)}
            </details>
          )}
          <Filter fields={fields} choices={choices} />
          {!view.may('payers:unmasked') && <PayerSearch />}
          <IndexAge ageMs={indexAgeMs} />
          <FoundPayments {...found} />
        </div>
      ),
    }
  })

  file('/payments.csv', 'transactions', (visit) => {
    const { c, gateway, storeId, view } = visit
    const separator = readSeparator(c.req.query('separator'))
    const found = gateway.payments.all(storeId, queryFor(visit, readFilter(c.req.query())))
    const table = paymentsTable(found, { view, separator })
    const name = `${view.texts.transactions.fileName}-${csvTime(gateway.clock.now()).slice(0, 10)}`
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

/** Who sees documents masked finds none by trying one after the other. */
function queryFor({ view }: Visit, fields: FilterFields) {
  const query = queryOf(fields)
  return view.may('payers:unmasked') ? query : { ...query, documents: 'not-searched' as const }
}

interface FilterProps {
  readonly fields: FilterFields
  readonly choices: PaymentChoices
}

function Filter({ fields, choices }: FilterProps) {
  const view = useView()
  const texts = view.texts.transactions
  return (
    <form class="filter card" role="search" aria-label={texts.filter} action={view.at('/payments')}>
      <div class="box">
        <label>
          <span class="visually-hidden">{texts.text}</span>
          <input
            type="search"
            name="text"
            value={fields.text}
            placeholder={texts.textHint}
            maxlength={120}
          />
        </label>
        <button>{texts.apply}</button>
        {isFiltered(fields) && <a href={view.at('/payments')}>{texts.clear}</a>}
      </div>
      <details open={hasChoices(fields)} data-keep="filters">
        <summary>{texts.filters}</summary>
        <Choices fields={fields} choices={choices} />
      </details>
    </form>
  )
}

function Choices({ fields, choices }: FilterProps) {
  const { transactions: texts, statuses, methods } = useView().texts
  const statusOptions = Object.fromEntries(
    Object.entries(statuses).map(([status, text]) => [status, `${status} · ${text}`]),
  )
  const { newest, ...others } = texts.sorts
  const selects = [
    { name: 'status', label: texts.status, options: statusOptions },
    { name: 'method', label: texts.method, options: methods },
    { name: 'brand', label: texts.brand, options: asOptions(choices.brands) },
    { name: 'account', label: texts.account, options: asOptions(choices.accounts) },
  ] as const
  return (
    <div class="choices">
      {selects.map(({ name, label, options }) => (
        <Select name={name} label={label} options={options} chosen={fields[name]} any={texts.any} />
      ))}
      {(['from', 'until'] as const).map((name) => (
        <label>
          {texts[name]}
          <input type="date" name={name} value={fields[name]} />
        </label>
      ))}
      <Select name="sort" label={texts.sort} options={others} chosen={fields.sort} any={newest} />
    </div>
  )
}

function asOptions(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, value]))
}

/** A payment is found some seconds after it was made; more is said. */
const USUAL_AGE_MS = 10 * SECOND_MS

function IndexAge({ ageMs }: { readonly ageMs: number }) {
  const { language, texts } = useView()
  if (ageMs <= USUAL_AGE_MS) return null
  const duration = formatDuration(ageMs, language)
  return <p class="hint">{fill(texts.transactions.indexAge, { duration })}</p>
}

export function FoundPayments(page: PaymentPage) {
  const { items, next, searchedToMs, isCutShort, isUndecided } = page
  const { at, language, here, texts: all } = useView()
  const texts = all.transactions
  const isOldestFirst = sortOf(here) === 'oldest'
  const time = searchedToMs === undefined ? undefined : formatTime(searchedToMs, language)
  const reach =
    time === undefined
      ? texts.searchedPart
      : fill(isOldestFirst ? texts.searchedUntil : texts.searchedBack, { time })
  return (
    <>
      {items.length > 0 && <PaymentTable items={items} />}
      {items.length === 0 && !isCutShort && (
        <Notice {...(isUndecided ? texts.undecided : texts.noneFound)}>
          <a class="button quiet" href={at('/payments')}>
            {texts.clear}
          </a>
        </Notice>
      )}
      {isCutShort && <p role="status">{reach}</p>}
      <div class="row">
        <CursorPagination next={next} nextText={isCutShort ? texts.searchOn : undefined} />
        {items.length > 0 && <CsvLinks />}
      </div>
    </>
  )
}

function sortOf(here: string): string {
  return readFilter(Object.fromEntries(new URL(here, 'http://panel.invalid').searchParams)).sort
}

const COLUMNS = ['reference', 'status', 'method', 'payer', 'created', 'amount'] as const
/** What a column's head sorts by: first, and when it is chosen again. */
const SORTED_BY = {
  created: ['newest', 'oldest'],
  amount: ['highest', 'lowest'],
} as const

function PaymentTable({ items }: Pick<PaymentPage, 'items'>) {
  const texts = useView().texts.transactions
  return (
    <table class="list card" aria-label={texts.title}>
      <thead>
        <tr>
          {COLUMNS.map((column) =>
            column === 'created' || column === 'amount' ? (
              <SortedHead column={column} />
            ) : (
              <th scope="col">{texts[column]}</th>
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row {...item} />
        ))}
      </tbody>
    </table>
  )
}

function SortedHead({ column }: { readonly column: keyof typeof SORTED_BY }) {
  const { here, texts: all } = useView()
  const texts = all.transactions
  const sort = sortOf(here) === '' ? 'newest' : sortOf(here)
  const [falling, rising] = SORTED_BY[column]
  const order = sort === falling ? 'descending' : sort === rising ? 'ascending' : undefined
  const other = sort === falling ? rising : falling
  const address = addressWith(addressWith(here, 'after', undefined), 'sort', other)
  return (
    <th scope="col" class={column === 'amount' ? 'number' : undefined} aria-sort={order}>
      <a href={address} title={texts.sorts[other]}>
        {texts[column]}
        {order !== undefined && (
          <span aria-hidden="true">{order === 'ascending' ? ' ↑' : ' ↓'}</span>
        )}
      </a>
    </th>
  )
}

function Row({ transaction, payerName, refunds, hasSurplus }: ListedPayment) {
  const view = useView()
  const { transactions: texts, methods, statuses } = view.texts
  const { code, reference, status, payerEmail, createdAtMs, amountMinor } = transaction
  return (
    <tr>
      <th scope="row" data-label={texts.reference}>
        <a class="row-link" href={view.at(`/payments/${code}`)}>
          {reference}
        </a>{' '}
        <code class="minor">{code}</code>
      </th>
      <td data-label={texts.status}>
        <StatusBadge status={status} />{' '}
        <span class="minor">{partlyRefunded(view, amountMinor, refunds) ?? statuses[status]}</span>
        {transaction.example && <span class="badge">{texts.example}</span>}
        {hasSurplus && <span class="badge waiting">{texts.surplus}</span>}
      </td>
      <td data-label={texts.method}>{wayOf(transaction, methods)}</td>
      <td data-label={texts.payer}>
        {payerName !== '' && <span>{shownName(payerName, view)}</span>}{' '}
        <span class="minor">{shownEmail(payerEmail, view)}</span>
      </td>
      <td data-label={texts.created}>
        <Time ms={createdAtMs} />
      </td>
      <td data-label={texts.amount} class="number">
        {formatMoney(amountMinor, view.language)}
      </td>
    </tr>
  )
}

/** A card with its brand and last digits; the sub-type of a PIX is PIX, and of a boleto, boleto. */
function wayOf(
  { paymentType, subType, cardLastFour }: ListedPayment['transaction'],
  methods: Readonly<Record<ListedPayment['transaction']['paymentType'], string>>,
): Child {
  const more = [
    paymentType === 'credit-card' || paymentType === 'e-wallet' ? subType : undefined,
    cardLastFour,
  ].filter((part) => part !== undefined)
  return (
    <>
      <span>{methods[paymentType]}</span> <span class="minor">{more.join(' ')}</span>
    </>
  )
}
