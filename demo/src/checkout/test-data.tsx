import { fill } from '@cofre/pages'
import { useView } from '../page/view.js'

/** Cards of the sandbox. */
const TEST_CARDS = [
  { name: 'Visa', number: '4111111111111111', cvv: '123', outcome: 'approves' },
  { name: 'Visa', number: '4000000000000002', cvv: '123', outcome: 'declines' },
  { name: 'Elo', number: '5066991111111118', cvv: '123', outcome: 'approves' },
  { name: 'American Express', number: '378282246310005', cvv: '1234', outcome: 'approves' },
] as const

/** Shortcuts that a real shop does not have. */
export function TestData() {
  const { test } = useView().texts.checkout
  return (
    <section class="demo-hint needs-script" aria-labelledby="test-data">
      <div class="heading-row">
        <div>
          <h2 id="test-data">{test.title}</h2>
          <p>{test.hint}</p>
        </div>
        <button class="quiet" type="button" disabled data-fill-test-data>
          {test.fill}
        </button>
      </div>
      <details>
        <summary>{test.cards}</summary>
        <ul>
          {TEST_CARDS.map(({ name, number, cvv, outcome }) => (
            <li class="heading-row">
              <span>
                <code>{number}</code> {`${name}, ${test[outcome]}`}
              </span>
              <button
                class="link"
                type="button"
                disabled
                data-test-card={number}
                data-test-cvv={cvv}
              >
                {fill(test.use, { name: `${name} ${number.slice(-4)}` })}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
