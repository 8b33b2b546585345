import { fill } from '@cofre/pages'
import { methodName } from '../frame/method.js'
import { useView } from '../frame/view.js'
import type { TryPageProps } from './try-page-props.js'

/** The payer's receipt, also on paper. */
export function Receipt(props: TryPageProps) {
  const { texts } = useView()
  return (
    <section class="card stack" aria-labelledby="receipt" data-testid="receipt">
      <h2 id="receipt">{texts.try.receipt}</h2>
      <FactList {...props} />
      <p class="screen-only">
        <button type="button" class="quiet needs-script" data-print>
          {texts.try.print}
        </button>
      </p>
    </section>
  )
}

/** The facts of an unpaid try. */
export function Facts(props: TryPageProps) {
  return (
    <section class="card" data-testid="facts">
      <FactList {...props} />
    </section>
  )
}

function FactList({ link, shown }: TryPageProps) {
  const { texts, money, time } = useView()
  const { facts } = texts.try
  const { amountMinor, chargedMinor, installments, paidAtMs, reference, code, state } = shown
  const total = state === 'reserved' || state === 'released' ? 'reserved' : 'charged'
  const rows: readonly (readonly [string, string, string])[] = [
    ['store', facts.store, link.storeName],
    ['description', facts.description, link.description],
    ['amount', facts.amount, money(amountMinor)],
    ['method', facts.method, methodName(shown.method, texts)],
    ...(installments > 1
      ? [['installments', facts.installments, fill('{count}x', { count: installments })] as const]
      : []),
    ...(chargedMinor === amountMinor ? [] : [[total, facts[total], money(chargedMinor)] as const]),
    ...(paidAtMs === undefined ? [] : [['paid-at', facts.paidAt, time(paidAtMs)] as const]),
    ['reference', facts.reference, reference],
    ...(code === '' ? [] : [['code', facts.code, code] as const]),
  ]
  return (
    <dl class="facts">
      {rows.map(([name, label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd data-testid={`fact-${name}`}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
