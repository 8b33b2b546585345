import type { CardInput } from '../model/session.js'
import { useView } from '../page/view.js'
import testData from './test-data.json' with { type: 'json' }

interface TestCard {
  readonly name: string
  readonly number: string
  readonly cvv: string
  /** Decides at the simulated Adyen; the simulated Cielo decides by the last digit. */
  readonly holder?: string
}

const EXPIRY = '12/30'

/** A shortcut for the demonstration. No script can type into the vault's fields. */
export function TestData({ cardInput }: { readonly cardInput: CardInput }) {
  const { shop, texts } = useView()
  const { test } = texts.checkout
  const { approves, declines }: Readonly<Record<'approves' | 'declines', readonly TestCard[]>> =
    testData.cards[shop.environment]
  const [first] = approves
  const typed = { 'card-number': first?.number, 'card-expiry': EXPIRY, 'card-cvv': first?.cvv }
  const values = { ...testData.payer, ...(cardInput === 'own' && typed) }
  const listed = (cards: readonly TestCard[], outcome: string) =>
    cards.map(({ cvv, holder, name, number }) => (
      <li>
        <code>{number}</code> {`${name}, ${outcome}`}:{' '}
        {[EXPIRY, cvv, ...(holder === undefined ? [] : [holder])].join(' · ')}
      </li>
    ))
  return (
    <section class="demo-hint needs-script" aria-labelledby="test-data">
      <div class="row">
        <div>
          <h2 id="test-data">{test.title}</h2>
          <p>{cardInput === 'own' ? test.hint : test.hostedHint}</p>
        </div>
        <button class="quiet" type="button" disabled data-fill-test-data={JSON.stringify(values)}>
          {test.fill}
        </button>
      </div>
      <details>
        <summary>{test.cards}</summary>
        <ul>
          {listed(approves, test.approves)}
          {listed(declines, test.declines)}
        </ul>
      </details>
    </section>
  )
}
