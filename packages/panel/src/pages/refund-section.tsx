import type { Refund } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import { Facts, PostForm, Time } from '../frame/parts.js'
import type { View } from '../frame/visit.js'
import { formatMoney } from '../text/format.js'
import { StatusBadge } from './status-badge.js'

interface RefundSectionProps {
  readonly view: View
  readonly refunds: readonly Refund[]
  /** Whether refunds wait for the buttons. */
  readonly areByHand: boolean
}

export function RefundSection({ view, refunds, areByHand }: RefundSectionProps) {
  const texts = view.texts.refunds
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {refunds.length === 0 && <p class="hint">{texts.none}</p>}
      {refunds.map((refund) => (
        <OneRefund view={view} refund={refund} />
      ))}
      {!areByHand && (
        <p class="hint">
          {texts.atOnce} <a href="/settlement">{texts.decide}</a>
        </p>
      )}
    </section>
  )
}

function OneRefund({ view, refund }: { readonly view: View; readonly refund: Refund }) {
  const texts = view.texts.refunds
  const { id, status, requestedAtMs, processedAtMs } = refund
  const amount = formatMoney(refund.amountMinor, view.language)
  const name = fill(texts.of, { amount })
  const button = (outcome: string, text: string, style?: string) => (
    <button name="status" value={outcome} class={style}>
      {text}
      <span class="visually-hidden">: {name}</span>
    </button>
  )
  return (
    <article class="refund" aria-label={name}>
      <p>
        <StatusBadge status={status} /> <strong>{amount}</strong> <code class="minor">{id}</code>{' '}
        {refund.reference}
      </p>
      <Facts
        facts={[
          [texts.requested, <Time view={view} ms={requestedAtMs} />],
          [texts.ended, processedAtMs !== undefined && <Time view={view} ms={processedAtMs} />],
        ]}
      />
      {status === 'PROCESSING' && (
        <PostForm view={view} action={`/refunds/${id}`} class="actions">
          {button('PROCESSED', texts.processed)}
          {button('REJECTED', texts.rejected, 'bad')}
        </PostForm>
      )}
    </article>
  )
}
