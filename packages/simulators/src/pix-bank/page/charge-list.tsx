import { fill } from '@cofre/pages'
import { type MinorUnits, formatAmount, minorUnits } from '@cofre/contracts'
import type { Charge, ChargeStatus, Payment, Refund } from '../book.js'
import { expiryOf, lastOf } from '../charges.js'
import { returnableOf } from '../payments.js'
import { amountOf } from '../wire.js'
import { PostForm, Time, type View, money, timeText } from './view.js'

const COLOURS = {
  ATIVA: 'waiting',
  CONCLUIDA: 'good',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'bad',
  REMOVIDA_PELO_PSP: 'bad',
  EM_PROCESSAMENTO: 'waiting',
  DEVOLVIDO: 'good',
  NAO_REALIZADO: 'bad',
} as const satisfies Record<ChargeStatus | Refund['status'], string>

interface ListProps {
  readonly view: View
  readonly charges: readonly Charge[]
}

export function ChargeList({ view, charges }: ListProps) {
  const texts = view.texts.charges
  return (
    <section aria-labelledby="charges">
      <h2 id="charges">{texts.title}</h2>
      {charges.length === 0 && <p>{texts.none}</p>}
      <ul class="charges">
        {charges.map((charge) => (
          <li class="card" id={charge.txid}>
            <ChargeCard view={view} charge={charge} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ChargeProps {
  readonly view: View
  readonly charge: Charge
}

function ChargeCard({ view, charge }: ChargeProps) {
  const texts = view.texts.charges
  const { terms, status } = lastOf(charge)
  const amountMinor = amountOf(terms.valor.original)
  const isExpired = expiryOf(charge) < view.nowMs
  return (
    <>
      <h3>
        {fill(texts.charge, { amount: money(view, amountMinor) })}{' '}
        <span class={`badge ${COLOURS[status]}`}>{texts.statuses[status]}</span>
      </h3>
      <p>
        <code>{charge.txid}</code>
      </p>
      {terms.solicitacaoPagador !== undefined && <p>{terms.solicitacaoPagador}</p>}
      <dl class="facts">
        <Fact term={texts.receiver}>{charge.receiver.name}</Fact>
        <Fact term={texts.created}>
          <Time view={view} ms={charge.createdMs} />
        </Fact>
        <Fact term={texts.expires}>
          <Time view={view} ms={expiryOf(charge)} />
        </Fact>
      </dl>
      {status === 'ATIVA' && isExpired && <p>{texts.expired}</p>}
      <ChargeForms view={view} charge={charge} />
      <PaymentList view={view} payments={charge.payments} />
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
  const address = `/charges/${charge.txid}`
  const inTime = expiryOf(charge) < view.nowMs ? texts.payLate : texts.pay
  return (
    <>
      <PostForm view={view} action={`${address}/pay`}>
        <AmountField view={view} amountMinor={amountOf(terms.valor.original)} />
        <button>{status === 'ATIVA' ? inTime : texts.payAgain}</button>
      </PostForm>
      {status === 'ATIVA' && (
        <PostForm view={view} action={`${address}/remove`}>
          <button class="quiet">{texts.remove}</button>
        </PostForm>
      )}
    </>
  )
}

interface AmountProps {
  readonly view: View
  readonly amountMinor: MinorUnits
}

function AmountField({ view, amountMinor }: AmountProps) {
  const text = formatAmount(amountMinor)
  const value = view.language === 'pt-BR' ? text.replace('.', ',') : text
  return (
    <label>
      {view.texts.charges.amount}
      <input name="amount" value={value} inputmode="decimal" autocomplete="off" required />
    </label>
  )
}

interface PaymentsProps {
  readonly view: View
  readonly payments: readonly Payment[]
}

function PaymentList({ view, payments }: PaymentsProps) {
  const texts = view.texts.payments
  if (payments.length === 0) return null
  return (
    <>
      <h4>{texts.title}</h4>
      <ul class="payments">
        {payments.map((payment) => (
          <li>
            <PaymentCard view={view} payment={payment} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface PaymentProps {
  readonly view: View
  readonly payment: Payment
}

function PaymentCard({ view, payment }: PaymentProps) {
  const texts = view.texts.payments
  const address = `/payments/${payment.endToEndId}`
  const returnable = returnableOf(payment)
  const amount = money(view, payment.amountMinor)
  return (
    <>
      <p>
        <strong>{fill(texts.payment, { amount, time: timeText(view, payment.bookedMs) })}</strong>
        <br />
        <code>{payment.endToEndId}</code>
      </p>
      {payment.refunds.map((refund) => (
        <RefundLine view={view} refund={refund} address={address} />
      ))}
      <PostForm view={view} action={`${address}/notice`}>
        <button class="quiet">{texts.sendNotice}</button>
      </PostForm>
      {returnable > 0 && (
        <PostForm view={view} action={`${address}/take-back`}>
          <AmountField view={view} amountMinor={minorUnits(returnable)} />
          <button class="quiet">{texts.takeBack}</button>
        </PostForm>
      )}
    </>
  )
}

interface RefundProps {
  readonly view: View
  readonly refund: Refund
  /** Of its payment. */
  readonly address: string
}

function RefundLine({ view, refund, address }: RefundProps) {
  const texts = view.texts.payments
  const { id, status } = refund
  const title = fill(texts.refund, { id, amount: money(view, refund.amountMinor) })
  return (
    <div class="actions">
      <span>
        {title} <span class={`badge ${COLOURS[status]}`}>{texts.statuses[status]}</span>
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
