import { minorUnits } from '@cofre/contracts'
import type { CoveredAccount, MissingPayment } from '../model/settlement.js'
import { Notice, fill } from '@cofre/pages'
import { SETTLEMENT_TEXTS } from './texts.js'
import {
  type AccountNames,
  Time,
  dateOf,
  formatDay,
  formatMoney,
  useTexts,
  useView,
} from '@cofre/panel/page'

interface MissingPaymentsProps {
  readonly covered: readonly CoveredAccount[]
  readonly items: readonly MissingPayment[]
  readonly names: AccountNames
  /** True if not all payments were checked. */
  readonly isPart: boolean
}

export function MissingPayments({ covered, items, names, isPart }: MissingPaymentsProps) {
  const { language } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements.missing
  return (
    <>
      <section class="card">
        <p>{texts.text}</p>
        <ul>
          {covered.map(({ accountId, fromDay, untilDay }) => (
            <li>
              {fill(texts.covered, {
                account: names.of(accountId),
                from: formatDay(dateOf(fromDay), language),
                until: formatDay(dateOf(untilDay - 1), language),
              })}
            </li>
          ))}
        </ul>
      </section>
      {items.length > 0 && <MissingTable items={items} names={names} />}
      {items.length === 0 &&
        (isPart ? <p role="status">{texts.part}</p> : <Notice {...texts.none} />)}
    </>
  )
}

function MissingTable({ items, names }: Pick<MissingPaymentsProps, 'items' | 'names'>) {
  const { at, language } = useView()
  const texts = useTexts(SETTLEMENT_TEXTS).settlements.missing
  return (
    <table class="list card" aria-label={texts.title}>
      <thead>
        <tr>
          <th scope="col">{texts.payment}</th>
          <th scope="col">{texts.paid}</th>
          <th scope="col">{texts.account}</th>
          <th scope="col" class="number">
            {texts.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ code, reference, paidAtMs, accountId, chargedMinor }) => (
          <tr>
            <th scope="row" data-label={texts.payment}>
              <a class="row-link" href={at(`/payments/${code}`)}>
                {reference}
              </a>{' '}
              <code class="minor">{code}</code>
            </th>
            <td data-label={texts.paid}>
              <Time ms={paidAtMs} />
            </td>
            <td data-label={texts.account}>{names.of(accountId)}</td>
            <td class="number" data-label={texts.amount}>
              {formatMoney(minorUnits(chargedMinor), language)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
