// Puts the last results into the README, between its markers.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

const README = new URL('../../README.md', import.meta.url)
const RESULTS = new URL('../results/', import.meta.url)
const SECTION = /(?<=<!-- bench -->\n)[^]*(?=<!-- \/bench -->)/

export function writeReadmeTable() {
  const results = readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(new URL(file, RESULTS), 'utf8')))
    .sort((a, b) => a.at.localeCompare(b.at))
  const readme = readFileSync(README, 'utf8')
  if (!SECTION.test(readme)) throw new Error('README.md has lost the markers of its benchmarks')
  writeFileSync(
    README,
    readme.replace(SECTION, () => section(results)),
  )
}

function section(results) {
  const rows = results.flatMap(({ rows }) => rows)
  const machines = [...new Set(results.map(({ at, machine }) => `${at.slice(0, 10)}, ${machine}`))]
  const compared = rows.filter(({ target, limit }) => target && limit !== undefined)
  const grown = rows.filter(({ stored }) => stored > 0)
  const others = rows.filter((row) => !compared.includes(row) && row.stored === undefined)
  return [
    `Last run: ${machines.join('; ')}.`,
    '',
    '| what | Cofre | beside it | ratio (spread) | target |',
    '|---|---|---|---|---|',
    ...compared.map(({ what, ours, limit, ratio, spread, target }) => {
      const quotient = ratio ?? Number((ours / limit).toPrecision(3))
      return cells([what, ours, limit, spread ? `${quotient} (${spread})` : quotient, target])
    }),
    '',
    '| beside none stored | stored | p50 ms | ratio | target |',
    '|---|---|---|---|---|',
    ...grown.map((row) => cells([row.what, row.stored, row['p50 ms'], row.ratio, row.target])),
    '',
    '| also measured | |',
    '|---|---|',
    ...others.map((row) => cells([row.what, figureOf(row)])),
    '',
  ].join('\n')
}

function figureOf(row) {
  if (row['p50 ms'] !== undefined) return `p50 ${row['p50 ms']} ms, p99 ${row['p99 ms']} ms`
  if (row.ratio !== undefined)
    return `${row.ours} beside ${row.limit}: ${row.ratio} (${row.spread})`
  const figure = row.value ?? row.ours
  return row.spread === undefined ? figure : `${figure} (${row.spread})`
}

function cells(values) {
  return `| ${values.map((value) => String(value).replaceAll('|', '\\|')).join(' | ')} |`
}
