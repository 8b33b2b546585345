import { paymentStatusOf } from '@cofre/gateway/room'
import type { ListedPayment, PaymentPage } from '../../model/payment-query.js'
import {
  addressWith,
  StatusBadge,
  useView,
  useTexts,
  formatMinute,
  formatMoney,
  formatTime,
  partlyCaptured,
  partlyRefunded,
  shownEmail,
  shownName,
  wayText,
} from '@cofre/panel/page'
import { readFilter } from './payment-filter.js'
import { PAYMENT_LIST_TEXTS } from './texts.js'

/** The order of the list; empty for newest first. */
export function sortOf(here: string): string {
  return readFilter(Object.fromEntries(new URL(here, 'http://panel.invalid').searchParams)).sort
}

const COLUMNS = ['reference', 'status', 'method', 'payer', 'created', 'amount'] as const
/** The orders of a column's head: on the first click, and on the next. */
const SORTED_BY = {
  created: ['newest', 'oldest'],
  amount: ['highest', 'lowest'],
} as const

export function PaymentTable({ items }: Pick<PaymentPage, 'items'>) {
  const texts = useTexts(PAYMENT_LIST_TEXTS).transactions
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
  const { here } = useView()
  const texts = useTexts(PAYMENT_LIST_TEXTS).transactions
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

/** Two lines on a phone, one on a laptop. A cell's title contains text that is cut off. */
function Row({ transaction, payerName, refunds, hasSurplus }: ListedPayment) {
  const view = useView()
  const texts = PAYMENT_LIST_TEXTS[view.language].transactions
  const { methods } = view.texts
  const { code, reference, createdAtMs, amountMinor } = transaction
  const status = paymentStatusOf(transaction)
  const name = payerName === '' ? '' : shownName(payerName, view)
  const email = shownEmail(transaction.payerEmail, view)
  const way = wayText(transaction, methods)
  const part = [partlyCaptured(view, transaction), partlyRefunded(view, transaction, refunds)]
    .filter((text) => text !== undefined)
    .join(', ')
  return (
    <tr>
      <th scope="row" title={`${reference} ${code}`}>
        <a class="row-link" href={view.at(`/payments/${code}`)}>
          {reference}
        </a>{' '}
        <code class="wide">{code}</code>
        {transaction.example && <span class="badge">{view.texts.payments.example}</span>}
      </th>
      <td class="state" title={[status, part].join(' ').trim()}>
        <StatusBadge status={status} /> {part !== '' && <span class="minor">{texts.inPart}</span>}
        {hasSurplus && <span class="badge waiting">{texts.surplus}</span>}
      </td>
      <td class="way" title={way}>
        {way}
      </td>
      <td class="payer" title={`${name} ${email}`.trim()}>
        {name !== '' && <span>{name}</span>} <span class={name && 'wide minor'}>{email}</span>
      </td>
      <td class="created">
        <time
          datetime={new Date(createdAtMs).toISOString()}
          title={formatTime(createdAtMs, view.language)}
        >
          {formatMinute(createdAtMs, view.language)}
        </time>
      </td>
      <td class="number">{formatMoney(amountMinor, view.language)}</td>
    </tr>
  )
}
