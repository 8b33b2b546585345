import type { TransactionStatus } from '@cofre/contracts'
import type { Refund } from '@cofre/gateway/room'
import type { TransactionDetails } from '../../model/payment-file.js'
import { fill } from '@cofre/pages'
import {
  type SimulatedRefunds,
  Facts,
  Time,
  useView,
  useTexts,
  formatMoney,
  StatusBadge,
} from '@cofre/panel/page'
import { MetadataFacts } from './metadata-facts.js'
import { PAYMENT_TEXTS } from './texts.js'
import { PAYMENT_ACTS_TEXTS } from './acts/texts.js'

interface RefundSectionProps extends Pick<TransactionDetails, 'refunds' | 'refundNotes'> {
  readonly status: TransactionStatus
  /** True if a refund can be made. */
  readonly mayRefund: boolean
  readonly simulated: SimulatedRefunds | undefined
}

export function RefundSection(props: RefundSectionProps) {
  const { status, refunds, refundNotes, mayRefund, simulated } = props
  const { may } = useView()
  const texts = useTexts(PAYMENT_TEXTS).refunds
  if (refunds.length === 0 && !mayRefund && simulated === undefined) return null
  const toMake = fill(texts.toMake, { button: useTexts(PAYMENT_ACTS_TEXTS).paymentActs.refund })
  const areRejected = refunds.length > 0 && refunds.every((one) => one.status === 'REJECTED')
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      {status === 'REFUNDED' && areRejected && <p>{texts.nothingReturned}</p>}
      {refunds.length === 0 && (
        <p class="hint">
          {texts.none} {mayRefund && may('refund:create') && toMake}
        </p>
      )}
      {refunds.map((refund) => (
        <OneRefund refund={refund} isOfStaff={refundNotes.has(refund.id)} simulated={simulated} />
      ))}
      {simulated?.note}
    </section>
  )
}

interface OneRefundProps {
  readonly refund: Refund
  /** True if its reference is the console's own, without meaning for the store. */
  readonly isOfStaff: boolean
  readonly simulated: SimulatedRefunds | undefined
}

function OneRefund({ refund, isOfStaff, simulated }: OneRefundProps) {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].refunds
  const { id, nature, status, reference, requestedAtMs, processedAtMs } = refund
  const { providerRefundId } = refund
  const isOfBank = providerRefundId !== undefined
  const notBeforeMs = status === 'PROCESSING' ? refund.notBeforeMs : undefined
  const amount = formatMoney(refund.amountMinor, view.language)
  const name = fill(texts.of, { amount })
  return (
    <article class="part" aria-label={name}>
      <p>
        <StatusBadge status={status} /> <strong>{amount}</strong> <code class="minor">{id}</code>{' '}
        {isOfBank ? `${texts.atBank} (${providerRefundId})` : !isOfStaff && reference}
      </p>
      <Facts
        facts={[
          [texts.nature, nature !== undefined && texts.natures[nature]],
          [texts.requested, <Time ms={requestedAtMs} />],
          [texts.notBefore, notBeforeMs !== undefined && <Time ms={notBeforeMs} />],
          [texts.ended, processedAtMs !== undefined && <Time ms={processedAtMs} />],
          [
            texts.metadata,
            refund.metadata !== undefined && <MetadataFacts metadata={refund.metadata} />,
          ],
        ]}
      />
      {status === 'PROCESSING' && !isOfBank && simulated?.endings(refund, name)}
    </article>
  )
}
