import { minorUnits } from '@cofre/contracts'
import { fill, formatMoney } from '@cofre/pages'
import { AmountField } from '../../page/amount.js'
import { PostForm, Time } from '../../page/view.js'
import { maskedNumber } from '../shown-card.js'
import type { ShownEntry, ShownPayment } from './shown-payment.js'
import type { View } from './view.js'

const COLOURS = {
  authorised: 'good',
  captured: 'good',
  done: 'good',
  pending: 'waiting',
  received: 'waiting',
  refused: 'bad',
  failed: 'bad',
  cancelled: 'bad',
  expired: 'bad',
  refunded: 'bad',
  reversed: 'bad',
} as const satisfies Record<ShownPayment['state'] | ShownEntry['state'], string>

interface ListProps {
  readonly view: View
  readonly payments: readonly ShownPayment[]
}

export function PaymentList({ view, payments }: ListProps) {
  const texts = view.texts.payments
  return (
    <>
      <h2>{texts.title}</h2>
      {payments.length === 0 && <p>{texts.none}</p>}
      {payments.map((payment) => (
        <article class="card" id={payment.id}>
          <PaymentCard view={view} payment={payment} />
        </article>
      ))}
    </>
  )
}

interface PaymentProps {
  readonly view: View
  readonly payment: ShownPayment
}

function PaymentCard({ view, payment }: PaymentProps) {
  const texts = view.texts.payments
  const { id, card, state } = payment
  const amount = formatMoney(payment.amountMinor, view.language)
  return (
    <>
      <h3>
        {fill(texts.payment, { amount, count: String(payment.installments) })}{' '}
        <span class={`badge ${COLOURS[state]}`}>{texts.states[state]}</span>
      </h3>
      <p>
        <code>{payment.reference}</code> <code>{id}</code>
      </p>
      <dl class="facts">
        <Fact term={texts.card}>
          {card.brand} {maskedNumber(card)}
        </Fact>
        <Fact term={texts.holder}>{card.holder}</Fact>
        <Fact term={texts.created}>
          <Time view={view} ms={payment.createdMs} />
        </Fact>
        <Fact term={texts.detail}>{payment.detail}</Fact>
      </dl>
      <div class="actions">
        {payment.actions.map((action) => (
          <PostForm view={view} action={`/payments/${id}/${action}`}>
            <button class="quiet" aria-label={`${texts.actions[action]}: ${payment.reference}`}>
              {texts.actions[action]}
            </button>
          </PostForm>
        ))}
      </div>
      {payment.refundableMinor > 0 && (
        <PostForm view={view} action={`/payments/${id}/give-back`}>
          <AmountField
            view={view}
            label={texts.amount}
            amountMinor={minorUnits(payment.refundableMinor)}
          />
          <button class="quiet" aria-label={`${texts.giveBack}: ${payment.reference}`}>
            {texts.giveBack}
          </button>
        </PostForm>
      )}
      {payment.entries.map((entry) => (
        <EntryLine view={view} payment={payment} entry={entry} />
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

function EntryLine({ view, payment, entry }: PaymentProps & { readonly entry: ShownEntry }) {
  const texts = view.texts.entries
  const amount = formatMoney(entry.amountMinor, view.language)
  const title = fill(texts.entry, { kind: texts.kinds[entry.kind], amount })
  return (
    <div class="actions">
      <span>
        {title} <span class={`badge ${COLOURS[entry.state]}`}>{texts.states[entry.state]}</span>
      </span>
      {entry.actions.map((action) => (
        <PostForm view={view} action={`/payments/${payment.id}/entries/${entry.id}/${action}`}>
          <button class="quiet" aria-label={`${texts.actions[action]}: ${title}`}>
            {texts.actions[action]}
          </button>
        </PostForm>
      ))}
    </div>
  )
}
