import { fill } from '@cofre/pages'
import type { Child } from 'hono/jsx'
import { formatDay } from '../visit/format.js'
import { type ChosenPeriod, LENGTHS, dateOf } from './period.js'
import { useView } from '../visit/visit.js'

interface PeriodFormProps {
  readonly period: ChosenPeriod
  /** Path of the page within its store. */
  readonly path: string
  /** Text of the shown period: `From {from} to {until}.` */
  readonly shown: string
  /** Other choices to keep with the days, as query parameters. */
  readonly kept?: Readonly<Record<string, string>>
  /** Fields for the other choices. */
  readonly children?: Child
}

/** A form that chooses the days of a page. */
export function PeriodForm({ period, path, shown, kept = {}, children }: PeriodFormProps) {
  const view = useView()
  const texts = view.texts.period
  const { fromDay, untilDay, length, isRefused, daysMax } = period
  const [first, last] = [dateOf(fromDay), dateOf(untilDay - 1)]
  return (
    <form class="filter card tiles" action={view.at(path)} aria-label={texts.period}>
      <p class="actions wide">
        {LENGTHS.map((days) => (
          <a
            href={view.at(
              `${path}?${new URLSearchParams({ days: String(days), ...kept }).toString()}`,
            )}
            aria-current={days === length ? 'true' : undefined}
          >
            {fill(texts.days, { days })}
          </a>
        ))}
      </p>
      <label>
        {texts.from}
        <input type="date" name="from" value={first} required />
      </label>
      <label>
        {texts.until}
        <input type="date" name="until" value={last} required />
      </label>
      {children}
      <div class="actions">
        <button>{texts.show}</button>
      </div>
      <p class="minor wide" role="status">
        {isRefused && `${fill(texts.refused, { days: daysMax })} `}
        {fill(shown, {
          from: formatDay(first, view.language),
          until: formatDay(last, view.language),
        })}
      </p>
    </form>
  )
}
