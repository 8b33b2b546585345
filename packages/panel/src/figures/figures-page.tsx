import { Notice } from '@cofre/pages'
import { readSeparator } from '../export/csv-format.js'
import { CsvLinks } from '../export/csv-links.js'
import { csvResponse } from '../export/csv-response.js'
import type { ConsolePages } from '../frame/console-pages.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { type ChosenPeriod, dateOf, readPeriod } from '../frame/period.js'
import { PeriodForm } from '../frame/period-form.js'
import { useView } from '../frame/visit.js'
import { Approvals, Declines } from './card-figures.js'
import { figuresTable } from './figures-csv.js'
import { Notifications } from './notification-figures.js'
import { Conversions, Returned, Volume } from './sales-figures.js'
import type { Compared } from './subject.js'

export function figuresPage({ page, file }: ConsolePages, parts: PanelParts): void {
  page('/figures', 'figures', async ({ c, gateway, storeId }) => {
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const compared = await figures.read(storeId, period)
    return { body: <Figures period={period} {...compared} /> }
  })

  file('/figures.csv', 'figures', async (visit) => {
    const { c, gateway, storeId, view } = visit
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const { now } = await figures.read(storeId, period)
    const separator = readSeparator(c.req.query('separator'))
    const days = [dateOf(period.fromDay), dateOf(period.untilDay - 1)].join('-')
    const name = `${view.texts.figures.fileName}-${days}`
    const table = figuresTable(now, view.texts, separator)
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function Figures({ period, now, before }: Compared & { readonly period: ChosenPeriod }) {
  const texts = useView().texts.figures
  const isEmpty = [now.volume, now.conversions, now.returned, now.notifications].every(
    (part) => part.length === 0,
  )
  return (
    <>
      <PeriodForm period={period} path="/figures" shown={texts.shown} />
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
          <CsvLinks />
        </div>
      )}
    </>
  )
}
