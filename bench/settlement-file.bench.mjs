// Files of payouts of 200 MiB: the time to read one beside a bare pass of the same bytes, through
// csv-parse or a splitter of lines, and how far memory grows. Each pass has a process of its own.
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse'
import { OWN_FORMAT } from '../packages/provider-kit/dist/report/index.js'
import { loadReports } from '../packages/providers/index/dist/index.js'
import {
  ADYEN_LINES,
  CIELO_LINES,
  COFRE_LINES,
} from '../packages/providers/index/src/settlement/settlement-files.fixture.ts'
import { SETTLEMENT_FILE_BYTES_MAX } from '../packages/contracts/dist/index.js'
import { compare, measureInTurn, medianRow, report, row } from './lib/compare.mjs'
import { PAIRS } from './lib/settings.mjs'

const MIB = 1024 * 1024
/** For time. Every text is searched for card numbers; a splitter of lines looks at nothing. */
const TARGETS = { adyen: '<= 4', cielo: '<= 15', cofre: '<= 4' }
const ENTRIES_PER_UNIT = 200
const UNITS_PER_BLOCK = 8
/** In an entry's line, which its unit's repeats: the place of a number that makes it another. */
const UNIT_KEY_DIGITS = '0300100072000021'

const CONTENTS = {
  adyen: () => csvContent(ADYEN_LINES),
  cielo: cieloContent,
  cofre: () => csvContent(COFRE_LINES),
}
const BARE_PASSES = {
  adyen: () => rowsOf(',', CONTENTS.adyen()),
  cielo: () => createInterface({ input: Readable.from(CONTENTS.cielo(), { objectMode: false }) }),
  cofre: () => rowsOf(';', CONTENTS.cofre()),
}

const [, , format, what] = process.argv
if (format === undefined) await compareAll()
else process.stdout.write(JSON.stringify(await measure(format, what)))

async function compareAll() {
  const rows = []
  for (const name of Object.keys(CONTENTS)) {
    const pairs = await measureInTurn(PAIRS, [() => inProcess(name, 'ours'), () => inProcess(name)])
    const seconds = pairs.map((pair) => pair.map((pass) => pass.seconds))
    rows.push(
      row(`${name}: seconds for a file of ${pairs[0][0].mib} MiB`, compare(seconds), TARGETS[name]),
      medianRow(
        `${name}: MiB that memory grows by`,
        pairs.map(([ours]) => ours.grownMib),
      ),
    )
  }
  report('settlement-file', rows)
}

function inProcess(name, what = 'bare') {
  const file = fileURLToPath(import.meta.url)
  return JSON.parse(execFileSync(process.execPath, [file, name, what], { encoding: 'utf8' }))
}

async function measure(name, what) {
  const before = process.memoryUsage.rss()
  const startedAt = performance.now()
  const read = await [...(await loadReports()), OWN_FORMAT]
    .find((format) => format.name === name)
    .loadReader()
  let lines = 0
  for await (const line of what === 'ours'
    ? read(CONTENTS[name](), 'production')
    : BARE_PASSES[name]())
    if (line) lines++
  const seconds = (performance.now() - startedAt) / 1000
  const grownMib = process.resourceUsage().maxRSS / 1024 - before / MIB
  return { seconds, grownMib, lines, mib: Math.round(SETTLEMENT_FILE_BYTES_MAX / MIB) }
}

function rowsOf(delimiter, content) {
  return Readable.from(content).pipe(parse({ delimiter }))
}

/** The header, then one line over and over. */
async function* csvContent([header, first]) {
  const line = `${first}\n`
  yield Buffer.from(`${header}\n`)
  const block = Buffer.from(line.repeat(MIB / Buffer.byteLength(line)))
  for (let sent = MIB; sent + block.length <= SETTLEMENT_FILE_BYTES_MAX; sent += block.length)
    yield block
}

/** Units of so many entries, each unit with a key of its own. */
async function* cieloContent() {
  const [header, unit, entry, ...others] = CIELO_LINES
  yield Buffer.from(`${header}\n`)
  const units = `${unit}\n${`${entry}\n`.repeat(ENTRIES_PER_UNIT)}`
  let count = 0
  for (let sent = MIB; sent + UNITS_PER_BLOCK * units.length <= SETTLEMENT_FILE_BYTES_MAX;) {
    let block = ''
    for (let i = 0; i < UNITS_PER_BLOCK; i++)
      block += units.replaceAll(UNIT_KEY_DIGITS, String(++count).padStart(16, '0'))
    sent += block.length
    yield Buffer.from(block)
  }
  const entries = count * ENTRIES_PER_UNIT
  const net = Number(entry.slice(275, 288)) * entries
  yield Buffer.from(
    `9${digits(count + entries, 11)}+${digits(net, 17)}${digits(entries, 11)}${others.at(-1).slice(41)}`,
  )
}

function digits(number, width) {
  return String(number).padStart(width, '0')
}
