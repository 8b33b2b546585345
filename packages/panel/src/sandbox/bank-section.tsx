import { TRANSACTION_STATUSES, type TransactionStatus, nextStatuses } from '@cofre/contracts'
import type { Transaction } from '@cofre/gateway/room'
import { fill } from '@cofre/pages'
import { PostForm } from '../part/parts.js'
import { useView, useTexts } from '../visit/visit.js'
import { StatusBadge } from '../part/status-badge.js'
import { SANDBOX_TEXTS } from './texts.js'

/** Chooses the bank's next report: offers the allowed statuses, and explains the others. */
export function BankSection({ code, status: current }: Transaction) {
  const { at } = useView()
  const texts = useTexts(SANDBOX_TEXTS).bank
  const { offered, others } = statusChoices(current)
  // The most frequent report: the payment is complete.
  const preselected = offered.find((status) => status === 'COMPLETE') ?? current
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <PostForm action={at(`/payments/${code}/status`)}>
        <fieldset>
          <legend class="visually-hidden">{texts.legend}</legend>
          {offered.map((status) => (
            <label class="choice">
              <input type="radio" name="status" value={status} checked={status === preselected} />
              <StatusBadge status={status} />
              {status === current && <span class="minor">{texts.again}</span>}
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

/** The statuses that the bank may report of a transaction, and why the others are not allowed. */
export function statusChoices(current: TransactionStatus) {
  const next = nextStatuses(current)
  // The current status comes first: reporting it notifies again.
  const offered = [current, ...next.filter((status) => status !== current)]
  const others = Map.groupBy(
    TRANSACTION_STATUSES.filter((status) => !offered.includes(status)),
    (to): 'final' | 'only-paid' | 'never-back' => {
      if (next.length === 0) return 'final'
      return to === 'REFUNDED' || to === 'CHARGEBACK' ? 'only-paid' : 'never-back'
    },
  )
  return { offered, others: [...others].map(([obstacle, statuses]) => ({ obstacle, statuses })) }
}
