import { fill } from '@cofre/pages'
import { useView } from '../page/view.js'
import testData from './test-data.json' with { type: 'json' }

const { approves, declines } = testData.cards
const [firstCard] = approves

/** What the script types into the page, by the inputs' ids. */
function typedCard(card: (typeof approves)[number] | undefined) {
  return { 'card-number': card?.number, 'card-expiry': '12/30', 'card-cvv': card?.cvv }
}

/** Shortcuts that a real shop does not have. */
export function TestData() {
  const { test } = useView().texts.checkout
  const cards = [
    ...approves.map((card) => ({ ...card, outcome: test.approves })),
    ...declines.map((card) => ({ ...card, outcome: test.declines })),
  ]
  const everything = JSON.stringify({ ...testData.payer, ...typedCard(firstCard) })
  return (
    <section class="demo-hint needs-script" aria-labelledby="test-data">
      <div class="row">
        <div>
          <h2 id="test-data">{test.title}</h2>
          <p>{test.hint}</p>
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
              <button
                class="link"
                type="button"
                disabled
                data-fill-test-card={JSON.stringify(typedCard(card))}
              >
                {fill(test.use, { name: `${card.name} ${card.number.slice(-4)}` })}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
