import type { Messages } from '../language/messages.js'

/** A card of the sandbox. */
interface TestCard {
  readonly name: string
  readonly number: string
  readonly cvv: string
  readonly outcome: 'approves' | 'declines'
}

const TEST_CARDS: readonly TestCard[] = [
  { name: 'Visa', number: '4111111111111111', cvv: '123', outcome: 'approves' },
  { name: 'Visa', number: '4000000000000002', cvv: '123', outcome: 'declines' },
  { name: 'Elo', number: '5066991111111118', cvv: '123', outcome: 'approves' },
  { name: 'American Express', number: '378282246310005', cvv: '1234', outcome: 'approves' },
]

/** Shortcuts that a real shop does not have. */
export function TestData({ messages }: { readonly messages: Messages }) {
  const { test } = messages.checkout
  return (
    <section class="test-data" aria-labelledby="test-data">
      <div class="heading-row">
        <div>
          <h2 id="test-data">{test.title}</h2>
          <p>{test.hint}</p>
        </div>
        <button class="button secondary small" type="button" disabled data-fill-test-data>
          {test.fill}
        </button>
      </div>
      <details>
        <summary>{test.cards}</summary>
        <ul>
          {TEST_CARDS.map((card) => (
            <li>
              <code>{card.number}</code>
              <span>{`${card.name}, ${test[card.outcome]}`}</span>
              <button
                class="quiet-button"
                type="button"
                disabled
                data-test-card={card.number}
                data-test-cvv={card.cvv}
              >
                {test.use(`${card.name} ${card.number.slice(-4)}`)}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
