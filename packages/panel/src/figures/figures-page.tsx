import { readSeparator } from '../export/csv-format.js'
import { csvResponse } from '../export/csv-response.js'
import type { ConsolePages } from '../frame/console-pages.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { dateOf, readPeriod } from '../frame/period.js'
import { figuresTable } from './figures-csv.js'

export function figuresPage({ page, file }: ConsolePages, parts: PanelParts): void {
  page('/figures', 'figures', async ({ c, gateway, storeId }) => {
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const leftOut = leftOutOf(c.req.query())
    const [compared, hasExamples] = await Promise.all([
      figures.read(storeId, period, leftOut),
      figures.hasExamples(storeId),
    ])
    const examples = !hasExamples ? 'none' : leftOut === undefined ? 'counted' : 'left-out'
    // What draws is large, and many stores never look.
    const { Figures } = await import('./figures.js')
    return { body: <Figures period={period} examples={examples} {...compared} /> }
  })

  file('/figures.csv', 'figures', async (visit) => {
    const { c, gateway, storeId, view } = visit
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const { now } = await figures.read(storeId, period, leftOutOf(c.req.query()))
    const separator = readSeparator(c.req.query('separator'))
    const days = [dateOf(period.fromDay), dateOf(period.untilDay - 1)].join('-')
    const name = `${view.texts.figures.fileName}-${days}`
    const table = figuresTable(now, view.texts, separator)
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function leftOutOf({ examples }: Readonly<Record<string, string>>): 'examples' | undefined {
  return examples === 'without' ? 'examples' : undefined
}
