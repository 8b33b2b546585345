import type { TransactionStatus } from '@cofre/contracts'
import type { Refund } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import { Facts, PostForm, Time } from '../frame/parts.js'
import { useView } from '../frame/visit.js'
import { formatMoney } from '../text/format.js'
import { StatusBadge } from './status-badge.js'

interface RefundSectionProps {
  readonly status: TransactionStatus
  readonly refunds: readonly Refund[]
  /** Whether refunds wait for the buttons. */
  readonly areByHand: boolean
}

export function RefundSection({ status, refunds, areByHand }: RefundSectionProps) {
  const texts = useView().texts.refunds
  const areRejected = refunds.length > 0 && refunds.every((one) => one.status === 'REJECTED')
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {status === 'REFUNDED' && areRejected && <p>{texts.nothingReturned}</p>}
      {refunds.length === 0 && <p class="hint">{texts.none}</p>}
      {refunds.map((refund) => (
        <OneRefund {...refund} />
      ))}
      {!areByHand && (
        <p class="hint">
          {texts.atOnce} <a href="/settlement">{texts.decide}</a>
        </p>
      )}
    </section>
  )
}

function OneRefund(refund: Refund) {
  const view = useView()
  const texts = view.texts.refunds
  const { id, status, reference, requestedAtMs, processedAtMs, providerRefundId } = refund
  const isOfBank = providerRefundId !== undefined
  const notBeforeMs = status === 'PROCESSING' ? refund.notBeforeMs : undefined
  const amount = formatMoney(refund.amountMinor, view.language)
  const name = fill(texts.of, { amount })
  const button = (outcome: string, text: string, style?: string) => (
    <button name="status" value={outcome} class={style}>
      {text}
      <span class="visually-hidden">: {name}</span>
    </button>
  )
  return (
    <article class="part" aria-label={name}>
      <p>
        <StatusBadge status={status} /> <strong>{amount}</strong> <code class="minor">{id}</code>{' '}
        {isOfBank ? `${texts.atBank} (${providerRefundId})` : reference}
      </p>
      <Facts
        facts={[
          [texts.requested, <Time ms={requestedAtMs} />],
          [texts.notBefore, notBeforeMs !== undefined && <Time ms={notBeforeMs} />],
          [texts.ended, processedAtMs !== undefined && <Time ms={processedAtMs} />],
        ]}
      />
      {status === 'PROCESSING' && !isOfBank && (
        <PostForm action={`/refunds/${id}`} class="actions">
          {button('PROCESSED', texts.processed)}
          {button('REJECTED', texts.rejected, 'bad')}
        </PostForm>
      )}
    </article>
  )
}
