import type { Transaction } from '@cofre/gateway'
import { fill } from '@cofre/pages'
import { PostForm } from '../frame/parts.js'
import { useView } from '../frame/visit.js'
import { StatusBadge } from './status-badge.js'
import { statusChoices } from './status-choice.js'

/** Chooses what the bank reports: offers the allowed statuses, and explains the others. */
export function BankSection({ code, status: current }: Transaction) {
  const { bank: texts, statuses } = useView().texts
  const { offered, others } = statusChoices(current)
  // The most frequent report: the payer has paid.
  const preselected = offered.find((status) => status === 'COMPLETE') ?? current
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <PostForm action={`/transactions/${code}/status`}>
        <fieldset>
          <legend class="visually-hidden">{texts.legend}</legend>
          {offered.map((status) => (
            <label class="choice">
              <input type="radio" name="status" value={status} checked={status === preselected} />
              <StatusBadge status={status} />
              <span class="minor">{status === current ? texts.again : statuses[status]}</span>
            </label>
          ))}
        </fieldset>
        <button>{texts.notify}</button>
      </PostForm>
      <details data-keep="other-statuses">
        <summary>{texts.others}</summary>
        <ul>
          {others.map(({ obstacle, statuses: refused }) => (
            <li>
              {refused.map((status) => (
                <>
                  <StatusBadge status={status} />{' '}
                </>
              ))}
              <p>{fill(texts[obstacle], { status: current })}</p>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
