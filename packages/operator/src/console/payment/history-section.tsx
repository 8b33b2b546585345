import { fill } from '@cofre/pages'
import type { Act } from '@cofre/panel/page'
import type { Child } from 'hono/jsx'
import {
  actNameOf,
  actorText,
  outcomeOf,
  Time,
  StatusBadge,
  type View,
  useView,
  formatMoney,
  formatTime,
} from '@cofre/panel/page'
import type { HistoryEntry } from './payment-history.js'
import { PAYMENT_ACTS_TEXTS } from './acts/texts.js'
import { PAYMENT_TEXTS } from './texts.js'

interface HistorySectionProps {
  readonly entries: readonly HistoryEntry[]
}

/** The history of a payment, with its actors. */
export function HistorySection({ entries }: HistorySectionProps) {
  const view = useView()
  return (
    <section class="card">
      <h2>{PAYMENT_ACTS_TEXTS[view.language].history.title}</h2>
      <ol class="timeline">
        {entries.map((entry) => (
          <li class="row">
            <span>{entryText(entry, view)}</span>
            <Time ms={entry.atMs} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function entryText(entry: HistoryEntry, view: View): Child {
  const texts = PAYMENT_ACTS_TEXTS[view.language].history
  switch (entry.kind) {
    case 'created':
      return (
        <>
          {texts.createdAs} <StatusBadge status={entry.status} />
        </>
      )
    case 'status':
      return <StatusBadge status={entry.status} />
    case 'refund-asked':
      return <RefundRequested entry={entry} />
    case 'refund-ended': {
      const { refund } = entry
      const amount = formatMoney(refund.amountMinor, view.language)
      return fill(refund.status === 'PROCESSED' ? texts.refundDone : texts.refundRejected, {
        amount,
      })
    }
    case 'notification': {
      const { notification, state } = entry.details
      const text = state === 'done' || state === 'waiting-for-search' ? 'notified' : 'notifying'
      return fill(texts[text], { status: view.texts.statuses[notification.status] })
    }
    case 'card-change': {
      const { amountMinor, kind } = entry.change
      const amount = amountMinor === undefined ? '' : formatMoney(amountMinor, view.language)
      return `${PAYMENT_TEXTS[view.language].acquirer.changes[kind]} ${amount}`.trim()
    }
    case 'authorized': {
      const { amountMinor, beforeMs } = entry
      const before = formatTime(beforeMs, view.language)
      return fill(texts.authorized, { amount: formatMoney(amountMinor, view.language), before })
    }
    case 'captured':
      return fill(texts.captured, { amount: formatMoney(entry.amountMinor, view.language) })
    case 'released':
      return texts.released[entry.by]
    case 'act':
      return <ActDone {...entry.act} />
  }
}

interface RefundRequestedProps {
  readonly entry: Extract<HistoryEntry, { readonly kind: 'refund-asked' }>
}

function RefundRequested({ entry: { requestedBy, note, refund } }: RefundRequestedProps) {
  const view = useView()
  const texts = PAYMENT_ACTS_TEXTS[view.language].history
  const amount = formatMoney(refund.amountMinor, view.language)
  if (note === undefined) {
    const isOfProvider = refund.providerRefundId !== undefined
    const { nature } = refund
    return (
      <>
        {fill(isOfProvider ? texts.refundAtProvider : texts.refundAsked, { amount })}
        {nature !== undefined && (
          <>
            <br />
            <span class="minor">{PAYMENT_TEXTS[view.language].refunds.natures[nature]}</span>
          </>
        )}
      </>
    )
  }
  const reason = view.texts.refundReasons[note.reason]
  const why = note.note === '' ? reason : fill(texts.note, { reason, note: note.note })
  const who = actorText(requestedBy ?? note, view)
  return (
    <>
      {fill(texts.refundAsked, { amount })} {fill(texts.by, { who })}
      <br />
      <span class="minor">{why}</span>
    </>
  )
}

function ActDone(act: Act) {
  const view = useView()
  const who = actorText(act, view)
  return (
    <>
      {actNameOf(act.action, view)} {fill(PAYMENT_ACTS_TEXTS[view.language].history.by, { who })}
      {act.outcome !== 'done' && (
        <>
          <br />
          <span class="minor">{outcomeOf(act, view)}</span>
        </>
      )}
    </>
  )
}
