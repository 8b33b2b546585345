import type { BankChargeDetails, BankPayment } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import { Facts, Time } from '../frame/parts.js'
import { useView } from '../frame/visit.js'
import { formatMoney } from '../text/format.js'

/** The charge of a PIX at the bank of an account, and all that was paid for it. */
export function PixSection(charge: BankChargeDetails) {
  const texts = useView().texts.pix
  const { accountId, accountLabel, bankExpiresAtMs, name, openedAtMs, payments, state } = charge
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <Facts
        facts={[
          [
            texts.account,
            <>
              {accountLabel} <code class="minor">{accountId}</code>
            </>,
          ],
          ['txid', <code>{name}</code>],
          [texts.charge, texts.states[state]],
          [texts.opened, openedAtMs !== undefined && <Time ms={openedAtMs} />],
          [texts.expires, bankExpiresAtMs !== undefined && <Time ms={bankExpiresAtMs} />],
        ]}
      />
      {payments.length === 0 && <p class="hint">{texts.none}</p>}
      {payments.map((payment) => (
        <OnePayment {...payment} />
      ))}
    </section>
  )
}

function OnePayment(payment: BankPayment) {
  const view = useView()
  const texts = view.texts.pix
  const { bankRefunds, endToEndId, foundAtMs, purpose, refundStatus, refundedAtMs } = payment
  const money = (amount: typeof payment.amountMinor) => formatMoney(amount, view.language)
  const amount = money(payment.amountMinor)
  return (
    <article class="part" aria-label={fill(texts.of, { amount })}>
      <p>
        <strong>{amount}</strong> <code class="minor">{endToEndId}</code>
      </p>
      <Facts
        facts={[
          [texts.paid, <Time ms={payment.paidAtMs ?? foundAtMs} />],
          [texts.purpose, texts.purposes[purpose]],
          [texts.surplus, refundStatus !== undefined && texts.ways[refundStatus]],
          [texts.returned, refundedAtMs !== undefined && <Time ms={refundedAtMs} />],
          [
            texts.refunds,
            bankRefunds.length > 0 && (
              <ul>
                {bankRefunds.map(({ id, amountMinor, state }) => (
                  <li>
                    {money(amountMinor)}, {texts.refundStates[state]}{' '}
                    <code class="minor">{id}</code>
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
    </article>
  )
}
