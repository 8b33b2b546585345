import { fill } from '@cofre/pages'
import { AmountField, Fact, PostForm, Time } from '@cofre/provider-kit/simulator'
import { expiryOf, isDated, lastOf, owedAt } from '../charges.js'
import { ChargeBadge, type ChargeProps, addressOf, isExpired, titleOf } from './charge-list.js'
import { PaymentCard } from './payment-card.js'
import { dayText, money } from './view.js'

/** The page's limit of days late; the charge's own end counts, too. */
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
        <PaymentCard view={view} payment={payment}>
          <PostForm view={view} action={`/payments/${payment.endToEndId}/notice`}>
            <button class="quiet">{view.texts.payments.sendNotice}</button>
          </PostForm>
        </PaymentCard>
      ))}
    </>
  )
}

function ChargeForms({ view, charge }: ChargeProps) {
  const texts = view.texts.charges
  const { terms, status } = lastOf(charge)
  if (status !== 'ATIVA' && status !== 'CONCLUIDA') return null
  const isLate = isExpired(view, charge)
  // A charge after its last day can't be paid.
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
