import type { Child } from 'hono/jsx'
import { type PageView, Time } from './view.js'

/** A notice as it was sent, with any content. */
interface SentNotice {
  readonly timeMs: number
  readonly url: string
  readonly result: { readonly status: number } | { readonly failure: string }
}

interface NoticeTableProps<Attempt extends SentNotice> {
  readonly view: PageView
  readonly texts: Readonly<Record<'title' | 'none' | 'time' | 'address' | 'result', string>>
  readonly attempts: readonly Attempt[]
  /** Columns for the content of a provider's notices. */
  readonly columns: readonly {
    readonly label: string
    readonly show: (attempt: Attempt) => Child
  }[]
}

export function NoticeTable<Attempt extends SentNotice>(props: NoticeTableProps<Attempt>) {
  const { view, texts, attempts, columns } = props
  const labels = [texts.time, texts.address, ...columns.map(({ label }) => label), texts.result]
  return (
    <section class="card" aria-labelledby="notices">
      <h2 id="notices">{texts.title}</h2>
      {attempts.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <table class="list">
          <thead>
            <tr>
              {labels.map((label) => (
                <th scope="col">{label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <tr>
                <td data-label={texts.time}>
                  <Time view={view} ms={attempt.timeMs} />
                </td>
                <td data-label={texts.address}>{new URL(attempt.url).host}</td>
                {columns.map(({ label, show }) => (
                  <td data-label={label}>{show(attempt)}</td>
                ))}
                <td data-label={texts.result}>
                  {'status' in attempt.result ? attempt.result.status : attempt.result.failure}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
