import { TEST_DATA, type TestDataTable } from '@cofre/sandbox'
import { Hono } from 'hono'
import { pageMessages } from '../page/page-messages.js'
import { renderPage } from '../page/render-page.js'
import { Copyable } from '../page/shown-value.js'
import { type PanelEnv, type View, viewOf } from '../panel-context.js'
import type { PanelDeps } from '../panel-deps.js'
import { testDataMessages } from './test-data-messages.js'

/** What decides an outcome in the sandbox. */
export function testDataRoutes(deps: PanelDeps): Hono<PanelEnv> {
  const app = new Hono<PanelEnv>()
  app.get('/test-data', (c) => {
    const view = viewOf(c)
    const { title, intro } = testDataMessages[view.language]
    const body = (
      <>
        <h1>{title}</h1>
        <p class="intro">{intro}</p>
        {TEST_DATA.map((table, index) => (
          <DataTable view={view} table={table} id={`data-${index}`} />
        ))}
      </>
    )
    return renderPage(c, deps, { title, body, page: 'test-data' })
  })
  return app
}

interface DataTableProps {
  readonly view: View
  readonly table: TestDataTable
  readonly id: string
}

function DataTable({ view, table, id }: DataTableProps) {
  const texts = testDataMessages[view.language]
  const { title, note, rows } = table
  const hasKinds = rows.some(({ kind }) => kind !== '')
  return (
    <section>
      <h2 id={id}>{title[view.language]}</h2>
      <p class="hint">{withCode(note[view.language])}</p>
      <table class="list test-data" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{texts.value}</th>
            {hasKinds && <th scope="col">{texts.kind}</th>}
            <th scope="col">{texts.outcome}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ value, kind, meaning }, row) => (
            <tr>
              <th scope="row" data-label={texts.value}>
                {value.includes('…') ? (
                  <code>{value}</code>
                ) : (
                  <Copyable view={view} id={`${id}-${row}`} text={value} label={value} />
                )}
              </th>
              {hasKinds && (
                <td data-label={texts.kind}>
                  {kind === '' ? pageMessages[view.language].none : kind}
                </td>
              )}
              <td data-label={texts.outcome}>{meaning[view.language]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Names of fields stand between backquotes. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))
}
