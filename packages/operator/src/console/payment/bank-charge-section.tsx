import type { BankChargeDetails, BankPayment } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import {
  type Fact,
  Facts,
  Time,
  useView,
  useTexts,
  formatDay,
  formatMoney,
} from '@cofre/panel/page'
import { PAYMENT_TEXTS } from './texts.js'

/** A charge at an account's bank, and all payments for it. */
export function BankChargeSection(charge: BankChargeDetails) {
  const texts = useTexts(PAYMENT_TEXTS).bankCharge
  const { accountId, accountLabel, method, payments } = charge
  return (
    <section class="card">
      <h2>{texts.titles[method]}</h2>
      <Facts
        facts={[
          [
            texts.account,
            <>
              {accountLabel} <code class="minor">{accountId}</code>
            </>,
          ],
          ...useChargeFacts(charge),
        ]}
      />
      {payments.length === 0 && <p class="hint">{texts.none}</p>}
      {payments.map((payment) => (
        <OnePayment method={method} {...payment} />
      ))}
    </section>
  )
}

function useChargeFacts(charge: BankChargeDetails): readonly Fact[] {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].bankCharge
  const { bankExpiresAtMs, dueDate, issuedAtMs, method, name, openedAtMs, ourNumber } = charge
  const { reason, state } = charge
  const time = (ms: number | undefined) => ms !== undefined && <Time ms={ms} />
  const isIssuing = method === 'boleto' && state === 'live' && issuedAtMs === undefined
  return [
    [texts.names[method], <code>{name}</code>],
    [texts.charge, isIssuing ? texts.issuing : texts.states[state]],
    [texts.reason, reason],
    [texts.ourNumber, ourNumber !== undefined && <code>{ourNumber}</code>],
    [texts.due, dueDate !== undefined && formatDay(dueDate, view.language)],
    [texts.opened, time(openedAtMs)],
    [texts.issued, time(issuedAtMs)],
    [texts.expires, time(bankExpiresAtMs)],
  ]
}

/** A PIX is paid by PIX; only a boleto can be paid in other ways. */
function OnePayment({ method, ...payment }: BankPayment & Pick<BankChargeDetails, 'method'>) {
  const view = useView()
  const texts = PAYMENT_TEXTS[view.language].bankCharge
  const { natures } = PAYMENT_TEXTS[view.language].refunds
  const { bankRefunds, endToEndId, foundAtMs, purpose, refundStatus, refundedAtMs, way } = payment
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
          [texts.way, method === 'boleto' && texts.paidBy[way]],
          [texts.purpose, texts.purposes[purpose]],
          [texts.surplus, refundStatus !== undefined && texts.surpluses[refundStatus]],
          [texts.returned, refundedAtMs !== undefined && <Time ms={refundedAtMs} />],
          [
            texts.refunds,
            bankRefunds.length > 0 && (
              <ul>
                {bankRefunds.map(({ id, amountMinor, nature, state }) => (
                  <li>
                    {money(amountMinor)}, {texts.refundStates[state]}
                    {nature !== undefined && `, ${natures[nature]}`} <code class="minor">{id}</code>
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
