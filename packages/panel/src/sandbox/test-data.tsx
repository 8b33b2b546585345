import { TEST_DATA, type TestDataTable } from '@cofre/sandbox'
import { Copyable } from '../part/parts.js'
import type { ConsolePages } from '../frame/console-pages.js'
import { useView } from '../visit/visit.js'
import { SANDBOX_TEXTS } from './texts.js'

/** The values that decide an outcome in the sandbox. */
export function testDataPage({ page }: ConsolePages): void {
  page('/test-data', () => ({
    body: TEST_DATA.map((table, index) => <DataTable table={table} id={`data-${index}`} />),
  }))
}

interface DataTableProps {
  readonly table: TestDataTable
  readonly id: string
}

function DataTable({ table, id }: DataTableProps) {
  const view = useView()
  const texts = SANDBOX_TEXTS[view.language]['test-data']
  const { frame } = view.texts
  const { title, note, rows } = table
  const hasKinds = rows.some(({ kind }) => kind !== '')
  return (
    <section>
      <h2 id={id}>{title[view.language]}</h2>
      <p class="hint">{withCode(note[view.language])}</p>
      <table class="list card test-data" aria-labelledby={id}>
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
                  <Copyable id={`${id}-${row}`} text={value} label={value} />
                )}
              </th>
              {hasKinds && <td data-label={texts.kind}>{kind === '' ? frame.none : kind}</td>}
              <td data-label={texts.outcome}>
                <span>{withCode(meaning[view.language])}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Renders names between backquotes as code. */
function withCode(text: string) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))
}
