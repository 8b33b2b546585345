import type { TransactionReport } from '@cofre/sandbox'
import { PostForm } from '../page/post-form.js'
import type { View } from '../panel-context.js'
import { StatusBadge } from './status-badge.js'
import { statusChoices } from './status-choice.js'
import { transactionMessages } from './transaction-messages.js'
import { transactionWords } from './transaction-words.js'

interface SimulateSectionProps {
  readonly view: View
  readonly transaction: TransactionReport
}

/** Chooses what the bank reports: legal changes are offered, the others explained. */
export function SimulateSection({ view, transaction }: SimulateSectionProps) {
  const { status: current, code } = transaction
  const { simulate, obstacles } = transactionMessages[view.language]
  const words = transactionWords[view.language].statuses
  const { offered, others } = statusChoices(current)
  // What is told most often: that the payer has paid.
  const preselected = offered.find((status) => status === 'COMPLETE') ?? current
  return (
    <section class="card simulate">
      <h2>{simulate.title}</h2>
      <p>{simulate.text}</p>
      <PostForm view={view} action={`/transactions/${code}/status`}>
        <fieldset>
          <legend class="visually-hidden">{simulate.legend}</legend>
          {offered.map((status) => (
            <label class="choice">
              <input type="radio" name="status" value={status} checked={status === preselected} />
              <StatusBadge status={status} />
              <span class="minor">{status === current ? simulate.again : words[status]}</span>
            </label>
          ))}
        </fieldset>
        <button>{simulate.notify}</button>
      </PostForm>
      <details data-keep="other-statuses">
        <summary>{simulate.others}</summary>
        <ul class="obstacles">
          {others.map(({ obstacle, statuses }) => (
            <li>
              {statuses.map((status) => (
                <>
                  <StatusBadge status={status} />{' '}
                </>
              ))}
              <p>{obstacles[obstacle](current)}</p>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
