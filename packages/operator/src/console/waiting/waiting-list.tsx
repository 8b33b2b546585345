import { DAY_MS } from '@cofre/contracts'
import { payerNameOf, paymentStatusOf } from '@cofre/gateway/room'
import { Notice } from '@cofre/pages'
import {
  type ConsolePages,
  Pagination,
  StatusBadge,
  Time,
  formatMoney,
  portAt,
  shownEmail,
  shownName,
  useTexts,
  useView,
} from '@cofre/panel/page'
import type { WaitingCapture } from '../../model/waiting-captures.js'
import type { ShownWaiting } from './parts.js'
import { WAITING_TEXTS } from './texts.js'

const A_PAGE = 25
const URGENT_MS = 2 * DAY_MS

export function waitingList({ page }: ConsolePages, shown: ShownWaiting): void {
  page('/waiting-for-capture', async (visit) => {
    const { c, gateway, storeId } = visit
    const { after } = c.req.query()
    const waiting = portAt(shown.waitingCaptures, visit)
    const { items, next } = await waiting.list(storeId, { after, limit: A_PAGE })
    const nowMs = gateway.clock.now()
    return {
      body: (
        <>
          {items.length === 0 ? <None /> : <WaitingTable items={items} nowMs={nowMs} />}
          <Pagination next={next} />
        </>
      ),
    }
  })
}

function None() {
  return <Notice {...useTexts(WAITING_TEXTS).waiting.none} />
}

const COLUMNS = ['reference', 'status', 'payer', 'before', 'amount'] as const

interface WaitingTableProps {
  readonly items: readonly WaitingCapture[]
  readonly nowMs: number
}

function WaitingTable({ items, nowMs }: WaitingTableProps) {
  const texts = useTexts(WAITING_TEXTS).waiting
  return (
    <table class="list card" aria-label={texts.title}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th scope="col" class={column === 'amount' ? 'number' : undefined}>
              {texts[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row {...item} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ transaction, ordered, nowMs }: WaitingCapture & { readonly nowMs: number }) {
  const view = useView()
  const texts = WAITING_TEXTS[view.language].waiting
  const { amountMinor, capture, code, reference } = transaction
  const payerName = payerNameOf(transaction)
  const name = payerName === '' ? '' : shownName(payerName, view)
  const isSoon = capture !== undefined && capture.beforeMs - nowMs <= URGENT_MS
  return (
    <tr>
      <th scope="row" data-label={texts.reference} title={`${reference} ${code}`}>
        <a class="row-link" href={view.at(`/payments/${code}`)}>
          {reference}
        </a>
      </th>
      <td class="state" data-label={texts.status}>
        <StatusBadge status={paymentStatusOf(transaction)} />{' '}
        {ordered !== undefined && <span class="badge waiting">{texts.ordered[ordered]}</span>}
      </td>
      <td class="payer" data-label={texts.payer}>
        {name !== '' && <span>{name}</span>}{' '}
        <span class={name && 'wide minor'}>{shownEmail(transaction.payerEmail, view)}</span>
      </td>
      <td data-label={texts.before}>
        {capture !== undefined && <Time ms={capture.beforeMs} />}{' '}
        {isSoon && <span class="badge bad">{texts.soon}</span>}
      </td>
      <td class="number" data-label={texts.amount}>
        {formatMoney(amountMinor, view.language)}
      </td>
    </tr>
  )
}
