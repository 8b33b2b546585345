import { readSeparator } from '../export/csv-format.js'
import { csvResponse } from '../export/csv-response.js'
import { accountNames } from '../frame/account-names.js'
import type { ConsolePages } from '../frame/console-pages.js'
import type { PanelParts } from '../frame/panel-parts.js'
import { dateOf, readPeriod } from '../frame/period.js'
import { figuresTable } from './figures-csv.js'
import { FIGURES_TEXTS } from './texts.js'

export function figuresPage({ page, file }: ConsolePages, parts: PanelParts): void {
  page('/figures', async ({ c, gateway, storeId }) => {
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const leftOut = leftOutOf(c.req.query())
    const [compared, set, accounts] = await Promise.all([
      figures.read(storeId, period, leftOut),
      figures.examplesOf(storeId),
      accountNames(gateway, storeId),
    ])
    const examples = set === undefined ? 'none' : leftOut === undefined ? 'counted' : 'left-out'
    // What draws is large, and many stores never look.
    const { Figures } = await import('./figures.js')
    return { body: <Figures {...{ period, examples, accounts }} {...compared} /> }
  })

  file('/figures.csv', async (visit) => {
    const { c, gateway, storeId, view } = visit
    const { figures } = gateway
    const period = readPeriod(c.req.query(), figures.today())
    const { now } = await figures.read(storeId, period, leftOutOf(c.req.query()))
    const separator = readSeparator(c.req.query('separator'))
    const days = [dateOf(period.fromDay), dateOf(period.untilDay - 1)].join('-')
    const name = `${FIGURES_TEXTS[view.language].figures.fileName}-${days}`
    const table = figuresTable(now, {
      language: view.language,
      separator,
      accounts: await accountNames(gateway, storeId),
    })
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function leftOutOf({ examples }: Readonly<Record<string, string>>): 'examples' | undefined {
  return examples === 'without' ? 'examples' : undefined
}
