import { fill } from '@cofre/pages'
import { minorUnits } from '@cofre/contracts'
import { AmountField } from '../../page/amount.js'
import { PostForm, Time, timeText } from '../../page/view.js'
import type { Payment, Refund } from '../book.js'
import { expiryOf, isDated, lastOf, owedAt } from '../charges.js'
import { returnableOf } from '../payments.js'
import { ChargeBadge, type ChargeProps, addressOf, isExpired, titleOf } from './charge-list.js'
import { type View, dayText, money } from './view.js'

/** How late the page lets a payer be; the charge's own end counts. */
export const DAYS_LATE_MAX = 99

export function ChargeDetails({ view, charge }: ChargeProps) {
  const texts = view.texts.charges
  const { terms } = lastOf(charge)
  return (
    <>
      <section class="card">
        <h1>{titleOf(view, charge)}</h1>
        <p>
          <ChargeBadge view={view} charge={charge} />
        </p>
        <dl class="facts">
          {terms.solicitacaoPagador !== undefined && (
            <Fact term={texts.message}>{terms.solicitacaoPagador}</Fact>
          )}
          {terms.devedor !== undefined && <Fact term={texts.payer}>{terms.devedor.nome}</Fact>}
          {isDated(terms) && (
            <Fact term={texts.due}>{dayText(view, terms.calendario.dataDeVencimento)}</Fact>
          )}
          <Fact term={texts.receiver}>{charge.receiver.name}</Fact>
          <Fact term={texts.created}>
            <Time view={view} ms={charge.createdMs} />
          </Fact>
          <Fact term={texts.expires}>
            <Time view={view} ms={expiryOf(charge)} />
          </Fact>
          <Fact term="txid">
            <code>{charge.txid}</code>
          </Fact>
        </dl>
        <ChargeForms view={view} charge={charge} />
      </section>
      {charge.payments.map((payment) => (
        <PaymentCard view={view} payment={payment} />
      ))}
    </>
  )
}

function Fact({ term, children }: { readonly term: string; readonly children?: unknown }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ChargeForms({ view, charge }: ChargeProps) {
  const texts = view.texts.charges
  const { terms, status } = lastOf(charge)
  if (status !== 'ATIVA' && status !== 'CONCLUIDA') return null
  const isLate = isExpired(view, charge)
  // Nobody can pay what a due date has ended.
  if (isLate && isDated(terms)) return null
  const amountMinor = owedAt(view.nowMs, terms)
  const amount = money(view, amountMinor)
  const first = isLate ? texts.payLate : texts.payAll
  return (
    <>
      {isLate && <p>{texts.lateHint}</p>}
      <PostForm view={view} action={`${addressOf(charge)}/pay`}>
        <button>{fill(status === 'ATIVA' ? first : texts.payAgain, { amount })}</button>
      </PostForm>
      <PostForm view={view} action={`${addressOf(charge)}/pay`}>
        <AmountField view={view} label={texts.otherAmount} amountMinor={amountMinor} />
        <button class="quiet">{texts.payOther}</button>
      </PostForm>
      {isDated(terms) && (
        <PostForm view={view} action={`${addressOf(charge)}/pay-late`}>
          <label>
            {texts.daysLate}
            <input name="days" type="number" value="5" min="1" max={DAYS_LATE_MAX} required />
          </label>
          <button class="quiet">{texts.payAfterDue}</button>
        </PostForm>
      )}
      {status === 'ATIVA' && (
        <PostForm view={view} action={`${addressOf(charge)}/remove`}>
          <button class="quiet">{texts.remove}</button>
        </PostForm>
      )}
    </>
  )
}

interface PaymentProps {
  readonly view: View
  readonly payment: Payment
}

function PaymentCard({ view, payment }: PaymentProps) {
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
      <PostForm view={view} action={`${address}/notice`}>
        <button class="quiet">{texts.sendNotice}</button>
      </PostForm>
      {returnable > 0 && (
        <PostForm view={view} action={`${address}/take-back`}>
          <AmountField view={view} label={texts.amount} amountMinor={minorUnits(returnable)} />
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
  readonly view: View
  readonly refund: Refund
  /** Of its payment. */
  readonly address: string
}

function RefundLine({ view, refund, address }: RefundProps) {
  const texts = view.texts.payments
  const { id, status, nature } = refund
  const text = nature === 'ORIGINAL' ? texts.refund : texts.bankRefund
  const title = fill(text, { amount: money(view, refund.amountMinor) })
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
