import { Notice, fill } from '@cofre/pages'
import type { ConsolePages } from '../frame/console-pages.js'
import { useView } from '../frame/visit.js'
import { formatDay } from '../text/format.js'
import { Approvals, Declines } from './card-figures.js'
import { Notifications } from './notification-figures.js'
import { type ChosenPeriod, LENGTHS, dateOf, readPeriod } from './period.js'
import { Conversions, Returned, Volume } from './sales-figures.js'
import type { Compared } from './subject.js'

export function figuresPage({ page }: ConsolePages): void {
  page('/figures', 'figures', async ({ c, gateway, storeId }) => {
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const compared = await figures.read(storeId, period)
    return { body: <Figures period={period} {...compared} /> }
  })
}

function Figures({ period, now, before }: Compared & { readonly period: ChosenPeriod }) {
  const texts = useView().texts.figures
  const isEmpty = [now.volume, now.conversions, now.returned, now.notifications].every(
    (part) => part.length === 0,
  )
  return (
    <>
      <PeriodForm {...period} />
      {isEmpty ? (
        <Notice {...texts.empty} />
      ) : (
        <div class="stack">
          <Volume now={now} before={before} />
          <Approvals now={now} before={before} />
          <Declines now={now} before={before} />
          <Conversions now={now} before={before} />
          <Returned now={now} before={before} />
          <Notifications now={now} before={before} />
        </div>
      )}
    </>
  )
}

function PeriodForm({ fromDay, untilDay, length, isRefused }: ChosenPeriod) {
  const view = useView()
  const texts = view.texts.figures
  const [first, last] = [dateOf(fromDay), dateOf(untilDay - 1)]
  return (
    <form class="filter card tiles" action={view.at('/figures')} aria-label={texts.period}>
      <p class="actions wide">
        {LENGTHS.map((days) => (
          <a
            href={view.at(`/figures?days=${days}`)}
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
      <div class="actions">
        <button>{texts.show}</button>
      </div>
      <p class="minor wide" role="status">
        {isRefused && `${texts.refused} `}
        {fill(texts.shown, {
          from: formatDay(first, view.language),
          until: formatDay(last, view.language),
        })}
      </p>
    </form>
  )
}
