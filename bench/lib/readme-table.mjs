// Puts the last results into the README, between its markers.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'

const README = new URL('../../README.md', import.meta.url)
const RESULTS = new URL('../results/', import.meta.url)
const SECTION = /(?<=<!-- bench -->\n)[^]*(?=<!-- \/bench -->)/

/** Tells in a sentence what became of it. */
export function writeReadmeTable() {
  const results = readResults()
  if (results.length === 0) return 'There are no results yet: the README keeps its table.'
  const readme = readFileSync(README, 'utf8')
  if (!SECTION.test(readme)) return 'README.md has lost the markers of its benchmarks.'
  writeFileSync(
    README,
    readme.replace(SECTION, () => section(results)),
  )
  return 'The README shows the results.'
}

function readResults() {
  if (!existsSync(RESULTS)) return []
  return readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(file, RESULTS), 'utf8')))
    .sort((a, b) => a.name.localeCompare(b.name))
}

function section(results) {
  const rows = results.flatMap(({ rows }) => rows)
  const compared = rows.filter((row) => row.target && row.stored === undefined)
  const grown = rows.filter((row) => row.stored !== undefined)
  const others = rows.filter((row) => !compared.includes(row) && !grown.includes(row))
  return [
    ...runs(results),
    '',
    '| what | Cofre | beside it | ratio (spread) | target | result |',
    '|---|---|---|---|---|---|',
    ...compared.map((row) =>
      cells([row.what, row.ours, row.limit, ratioOf(row), row.target, row.met]),
    ),
    '',
    '| beside no stored payments | stored | Cofre | beside it | ratio (spread) | target | result |',
    '|---|---|---|---|---|---|---|',
    ...grown.map((row) =>
      cells([row.what, row.stored, row.ours, row.limit, ratioOf(row), row.target, row.met]),
    ),
    '',
    '| also measured | |',
    '|---|---|',
    ...others.map((row) => cells([row.what, figureOf(row)])),
    '',
  ].join('\n')
}

/** When and where each result comes from: those of benchmarks that did not run now are older. */
function runs(results) {
  const names = new Map()
  for (const { name, at, machine } of results) {
    const run = `${at.slice(0, 10)}, ${machine}`
    names.set(run, [...(names.get(run) ?? []), name])
  }
  const [first, ...others] = [...names].sort(([a], [b]) => b.localeCompare(a))
  return [
    `Last run: ${first[0]}.`,
    ...others.map(([run, older]) => `Of ${run}: ${older.join(', ')}.`),
  ]
}

function ratioOf({ ours, limit, ratio, spread }) {
  const quotient = ratio ?? Number((ours / limit).toPrecision(3))
  return spread ? `${quotient} (${spread})` : quotient
}

function figureOf(row) {
  if (row['p50 ms'] !== undefined) return `p50 ${row['p50 ms']} ms, p99 ${row['p99 ms']} ms`
  if (row.ratio !== undefined && row.limit !== undefined)
    return `${row.ours} beside ${row.limit}: ${ratioOf(row)}`
  const figure = row.value ?? row.ours
  return row.spread === undefined ? figure : `${figure} (${row.spread})`
}

function cells(values) {
  const texts = values.map((value) => String(value ?? '').replaceAll('|', '\\|'))
  return `| ${texts.join(' | ')} |`
}
