import {
  readSeparator,
  csvResponse,
  accountNames,
  type ConsolePages,
  type PanelParts,
  type PerEnvironment,
  dateOf,
  portAt,
  readPeriod,
} from '@cofre/panel/page'
import type { Figures } from '../../model/store-figures.js'
import { figuresTable } from './figures-csv.js'
import { FIGURES_TEXTS } from './texts.js'

export function figuresPages(
  { page, file }: ConsolePages,
  parts: PanelParts,
  figuresOf: PerEnvironment<Figures>,
): void {
  page('/figures', async (visit) => {
    const { c, gateway, storeId } = visit
    const figures = portAt(figuresOf, visit)
    const period = readPeriod(c.req.query(), figures.today())
    const leftOut = leftOutOf(c.req.query())
    const [compared, set, accounts] = await Promise.all([
      figures.read(storeId, period, leftOut),
      figures.examplesOf(storeId),
      accountNames(gateway, storeId),
    ])
    const examples = set === undefined ? 'none' : leftOut === undefined ? 'counted' : 'left-out'
    // Imported on demand: the chart library is large, and many stores never open the page.
    const { Figures } = await import('./figures.js')
    return { body: <Figures {...{ period, examples, accounts }} {...compared} /> }
  })

  file('/figures.csv', async (visit) => {
    const { c, gateway, storeId, view } = visit
    const figures = portAt(figuresOf, visit)
    const period = readPeriod(c.req.query(), figures.today())
    const { now } = await figures.read(storeId, period, leftOutOf(c.req.query()))
    const separator = readSeparator(c.req.query('separator'))
    const days = [dateOf(period.fromDay), dateOf(period.untilDay - 1)].join('-')
    const name = `${FIGURES_TEXTS[view.language].figures.fileName}-${days}`
    const table = figuresTable(now, {
      view,
      separator,
      accounts: await accountNames(gateway, storeId),
    })
    return csvResponse(visit, parts, { name, separator, ...table })
  })
}

function leftOutOf({ examples }: Readonly<Record<string, string>>): 'examples' | undefined {
  return examples === 'without' ? 'examples' : undefined
}
