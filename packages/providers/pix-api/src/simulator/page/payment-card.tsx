import { minorUnits } from '@cofre/contracts'
import { fill } from '@cofre/pages'
import type { PropsWithChildren } from 'hono/jsx'
import {
  AmountField,
  Choice,
  type PageView,
  PostForm,
  timeText,
} from '@cofre/provider-kit/simulator'
import type { Payment, Refund } from '../book.js'
import { returnableOf } from '../payments.js'
import { type Texts, money } from './view.js'

/** Texts of payments, for any page. */
interface PaymentsView extends PageView {
  readonly texts: PageView['texts'] & Pick<Texts, 'payments'>
}

interface PaymentProps {
  readonly view: PaymentsView
  readonly payment: Payment
}

/** A payment by Pix with its refunds; `children` are further forms. */
export function PaymentCard({ view, payment, children }: PropsWithChildren<PaymentProps>) {
  const texts = view.texts.payments
  const { endToEndId } = payment
  const address = `/payments/${endToEndId}`
  const returnable = returnableOf(payment)
  const amount = money(view, payment.amountMinor)
  return (
    <section class="card" aria-labelledby={endToEndId}>
      <h2 id={endToEndId}>
        {fill(texts.payment, { amount, time: timeText(view, payment.bookedMs) })}
      </h2>
      <p>
        <code>{endToEndId}</code>
      </p>
      {payment.refunds.map((refund) => (
        <RefundLine view={view} refund={refund} address={address} />
      ))}
      {children}
      {returnable > 0 && (
        <PostForm view={view} action={`${address}/take-back`}>
          <AmountField view={view} label={texts.amount} amountMinor={minorUnits(returnable)} />
          <Choice name="nature" label={texts.nature} choices={texts.natures} chosen="MED_FRAUDE" />
          <button class="quiet">{texts.takeBack}</button>
        </PostForm>
      )}
    </section>
  )
}

const COLOURS = {
  EM_PROCESSAMENTO: 'waiting',
  DEVOLVIDO: 'good',
  NAO_REALIZADO: 'bad',
} as const satisfies Record<Refund['status'], string>

interface RefundProps {
  readonly view: PaymentsView
  readonly refund: Refund
  /** The address of its payment. */
  readonly address: string
}

function RefundLine({ view, refund, address }: RefundProps) {
  const texts = view.texts.payments
  const { id, status, nature } = refund
  const amount = money(view, refund.amountMinor)
  const title =
    nature === 'ORIGINAL'
      ? fill(texts.refund, { amount })
      : fill(texts.bankRefund, { amount, nature: texts.natures[nature] })
  return (
    <div class="part actions">
      <span>
        {title} <span class={`badge ${COLOURS[status]}`}>{texts.statuses[status]}</span>
        <br />
        <code>{id}</code>
      </span>
      {status === 'EM_PROCESSAMENTO' &&
        (['settle', 'refuse'] as const).map((end) => (
          <PostForm view={view} action={`${address}/refunds/${id}/${end}`}>
            <button class="quiet" aria-label={`${texts[end]}: ${title}`}>
              {texts[end]}
            </button>
          </PostForm>
        ))}
    </div>
  )
}
