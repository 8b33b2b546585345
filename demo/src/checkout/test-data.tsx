import { fill } from '@cofre/pages'
import type { CardInput } from '../model/session.js'
import { useView } from '../page/view.js'
import testData from './test-data.json' with { type: 'json' }

interface TestCard {
  readonly name: string
  readonly number: string
  readonly cvv: string
  /** Decides at the simulated Adyen; at the simulated Cielo the last digit does. */
  readonly holder?: string
}

const EXPIRY = '12/30'

/** What the script types into the page, by the inputs' ids. */
function typedCard(card: TestCard | undefined) {
  return {
    'card-number': card?.number,
    'card-expiry': EXPIRY,
    'card-cvv': card?.cvv,
    ...(card?.holder !== undefined && { name: card.holder }),
  }
}

/** Shortcuts that a real shop does not have. No script types into fields of the vault. */
export function TestData({ cardInput }: { readonly cardInput: CardInput }) {
  const { shop, texts } = useView()
  const { test } = texts.checkout
  const { approves, declines }: Readonly<Record<'approves' | 'declines', readonly TestCard[]>> =
    testData.cards[shop.environment]
  const [firstCard] = approves
  const isOwn = cardInput === 'own'
  const cards = [
    ...approves.map((card) => ({ ...card, outcome: test.approves })),
    ...declines.map((card) => ({ ...card, outcome: test.declines })),
  ]
  const everything = JSON.stringify({ ...testData.payer, ...(isOwn && typedCard(firstCard)) })
  return (
    <section class="demo-hint needs-script" aria-labelledby="test-data">
      <div class="row">
        <div>
          <h2 id="test-data">{test.title}</h2>
          <p>{isOwn ? test.hint : test.hostedHint}</p>
        </div>
        <button class="quiet" type="button" disabled data-fill-test-data={everything}>
          {test.fill}
        </button>
      </div>
      <details>
        <summary>{test.cards}</summary>
        <ul>
          {cards.map((card) => (
            <li class="row">
              <span>
                <code>{card.number}</code> {`${card.name}, ${card.outcome}`}
              </span>
              {isOwn ? (
                <button
                  class="link"
                  type="button"
                  disabled
                  data-fill-test-card={JSON.stringify(typedCard(card))}
                >
                  {fill(test.use, { name: `${card.name} ${card.number.slice(-4)}` })}
                </button>
              ) : (
                <span>
                  {[EXPIRY, card.cvv, ...(card.holder === undefined ? [] : [card.holder])].join(
                    ' · ',
                  )}
                </span>
              )}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
