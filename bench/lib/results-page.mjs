// Puts the last results into the performance pages of both languages, between their markers.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import PAGES from './results-pages.json' with { type: 'json' }

const RESULTS = new URL('../results/', import.meta.url)
const SECTION = /(?<=<!-- bench -->\n)[^]*(?=<!-- \/bench -->)/

/** Returns a sentence that says what became of it. */
export function writeResultsPages() {
  const results = readResults()
  if (results.length === 0)
    return 'There are no results yet: the performance pages keep their tables.'
  for (const { page, words } of PAGES) {
    const file = new URL(`../../${page}`, import.meta.url)
    const text = readFileSync(file, 'utf8')
    if (!SECTION.test(text)) return `${page} has lost the markers of its benchmarks.`
    writeFileSync(
      file,
      text.replace(SECTION, () => section(results, words)),
    )
  }
  return 'The performance pages show the results.'
}

function readResults() {
  if (!existsSync(RESULTS)) return []
  return readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(file, RESULTS), 'utf8')))
    .sort((a, b) => a.name.localeCompare(b.name))
}

function section(results, words) {
  const rows = results.flatMap(({ rows }) => rows)
  const compared = rows.filter((row) => row.target && row.stored === undefined)
  const grown = rows.filter((row) => row.stored !== undefined)
  const others = rows.filter((row) => !compared.includes(row) && !grown.includes(row))
  return [
    ...runs(results, words),
    '',
    ...chart(rows),
    '',
    words.compared,
    '|---|---|---|---|---|---|',
    ...compared.map((row) =>
      cells([row.what, row.ours, row.limit, ratioOf(row), row.target, row.met]),
    ),
    '',
    words.grown,
    '|---|---|---|---|---|',
    ...results.flatMap(growth),
    '',
    words.missed,
    '|---|---|---|---|---|---|',
    ...grown
      .filter(({ met }) => met === 'missed')
      .map((row) => cells([row.what, row.stored, row.ours, row.limit, ratioOf(row), row.target])),
    '',
    '<details>',
    `<summary>${words.others}</summary>`,
    '',
    words.figures,
    '|---|---|',
    ...others.map((row) => cells([row.what, figureOf(row)])),
    '',
    '</details>',
    '',
  ].join('\n')
}

/** Of each number of stored payments: how many rows reach their target, and the highest ratio. */
function growth({ name, rows }) {
  const grown = rows.filter(({ stored }) => stored !== undefined)
  return [...Map.groupBy(grown, ({ stored }) => stored)].map(([stored, some]) => {
    const met = some.filter((row) => row.met === 'met')
    const [highest] = some.toSorted((one, other) => other.ratio - one.ratio)
    return cells([name, stored, `${met.length} / ${some.length}`, ratioOf(highest), highest.what])
  })
}

/** The throughput ratios that have a target, as a mermaid chart: 1 is the bare program. */
function chart(rows) {
  const bars = rows.filter(({ ratio, target }) => ratio && target?.startsWith('>='))
  const labels = bars.map(({ what }) => `"${what.split('/s')[0]}"`)
  return [
    '```mermaid',
    'xychart-beta horizontal',
    '  title "Share of what a bare program does"',
    `  x-axis [${labels.join(', ')}]`,
    '  y-axis "ratio" 0 --> 1',
    `  bar [${bars.map(({ ratio }) => ratio).join(', ')}]`,
    '```',
  ]
}

/**
 * Which results are of which machine and commit, the newest first. Those that name no commit are
 * kept apart by their day.
 */
function runs(results, words) {
  const newestFirst = results.toSorted((one, other) => other.at.localeCompare(one.at))
  const groups = Map.groupBy(newestFirst, ({ at, machine, commit }) => {
    return `${machine}, ${commit ?? dayOf(at)}`
  })
  return [...groups.values()].map((group, i) => {
    const [{ at, machine, commit }] = group
    const days = [...new Set([dayOf(group.at(-1).at), dayOf(at)])].join(' - ')
    const measured = commit?.replace('+', words.changed)
    const run = [days, machine, ...(measured ? [`commit ${measured}`] : [])].join(', ')
    const names = group.map(({ name }) => name).toSorted()
    return `${i === 0 ? `${words.lastRun}:` : words.of} ${run}: ${names.join(', ')}.`
  })
}

function dayOf(at) {
  return at.slice(0, 10)
}

function ratioOf({ ours, limit, ratio, spread }) {
  const quotient = ratio ?? Number((ours / limit).toPrecision(3))
  return spread ? `${quotient} (${spread})` : quotient
}

function figureOf(row) {
  if (row.ratio !== undefined && row.limit !== undefined)
    return `${row.ours} beside ${row.limit}: ${ratioOf(row)}`
  const figure = row.value ?? row.ours
  return row.spread === undefined ? figure : `${figure} (${row.spread})`
}

function cells(values) {
  const texts = values.map((value) => String(value ?? '').replaceAll('|', '\\|'))
  return `| ${texts.join(' | ')} |`
}
