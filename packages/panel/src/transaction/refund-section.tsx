import type { RefundReport, TransactionReport } from '@cofre/sandbox'
import { formatMoney } from '../language/format.js'
import { PostForm } from '../page/post-form.js'
import { Fact, Time } from '../page/shown-value.js'
import type { View } from '../panel-context.js'
import { StatusBadge } from './status-badge.js'
import { transactionMessages } from './transaction-messages.js'

interface RefundSectionProps {
  readonly view: View
  readonly transaction: TransactionReport
  /** Whether refunds wait for the buttons. */
  readonly byHand: boolean
}

export function RefundSection({ view, transaction, byHand }: RefundSectionProps) {
  const texts = transactionMessages[view.language].refunds
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {transaction.refunds.length === 0 && <p class="hint">{texts.none}</p>}
      {transaction.refunds.map((refund) => (
        <Refund view={view} refund={refund} />
      ))}
      {!byHand && (
        <p class="hint">
          {texts.byHand} <a href="/settlement">{texts.byHandLink}</a>
        </p>
      )}
    </section>
  )
}

function Refund({ view, refund }: { readonly view: View; readonly refund: RefundReport }) {
  const texts = transactionMessages[view.language].refunds
  const amount = formatMoney(refund.amountMinor, view.language)
  return (
    <article class="refund" aria-label={texts.of(amount)}>
      <p>
        <StatusBadge status={refund.status} /> <strong>{amount}</strong>{' '}
        <code class="minor">{refund.id}</code> {refund.reference}
      </p>
      <dl class="facts">
        <Fact term={texts.requested}>
          <Time view={view} ms={refund.requestedAtMs} />
        </Fact>
        {refund.processedAtMs !== undefined && (
          <Fact term={texts.ended}>
            <Time view={view} ms={refund.processedAtMs} />
          </Fact>
        )}
      </dl>
      {refund.status === 'PROCESSING' && (
        <PostForm view={view} action={`/refunds/${refund.id}`} class="actions">
          <button name="status" value="PROCESSED">
            {texts.processed}
            <span class="visually-hidden">: {texts.of(amount)}</span>
          </button>
          <button name="status" value="REJECTED" class="bad">
            {texts.rejected}
            <span class="visually-hidden">: {texts.of(amount)}</span>
          </button>
        </PostForm>
      )}
    </article>
  )
}
