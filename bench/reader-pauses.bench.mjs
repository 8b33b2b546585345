// How long a file of 8 MB that is made to be slow holds the event loop, beside an idle loop; an
// order of as many values as one may have; and the search for card numbers in a body of 256 KB.
// Each file is read as one piece. Pauses are processor time of the thread, so that a busy machine
// counts for nothing.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { clearImmediate, setImmediate } from 'node:timers'
import { setImmediate as turn } from 'node:timers/promises'
import { OWN_FORMAT } from '../packages/provider-kit/dist/report/index.js'
import { loadReports } from '../packages/providers/index/dist/index.js'
import { readReturnFile } from '../packages/providers/cnab/dist/return/return-reader.js'
import {
  ADYEN_LINES,
  CIELO_LINES,
  COFRE_LINES,
} from '../packages/providers/index/src/settlement/settlement-files.fixture.ts'
import {
  JSON_VALUES_MAX,
  holdsManyValues,
  maskCardNumbers,
  requestFacts,
  transactionRequestTable,
} from '../packages/contracts/dist/index.js'
import { medianRow, report } from './lib/compare.mjs'
import { PAIRS } from './lib/settings.mjs'

const BYTES = 8 * 1024 * 1024
const BODY_BYTES = 256 * 1024
const RETURN_FILE = new URL('../test/judges/cnab/cnab400/bradesco.ret', import.meta.url)

const FORMATS = [...(await loadReports()), OWN_FORMAT]
/** Of each reader the files that cost it most a byte, and those that it refuses last. */
const READERS = {
  'CSV of our own': settlements('cofre', [
    filled(COFRE_LINES, '2026-10-01;sale;1;0;;;;;;;;;;\n'),
    filled(COFRE_LINES, ';\n'),
    filled(COFRE_LINES, ';'),
    filled(COFRE_LINES, `"${'1 '.repeat(4000)}"\n`),
  ]),
  "Adyen's report": settlements('adyen', [
    filled(ADYEN_LINES, `${ADYEN_LINES[1]}\n`),
    filled(ADYEN_LINES, `${','.repeat(255)}\n`),
    filled(ADYEN_LINES, ','),
  ]),
  CIELO04: settlements('cielo', [
    filled(CIELO_LINES, 'A\n'),
    filled(CIELO_LINES, `A${'1 '.repeat(4000)}\n`),
    filled(CIELO_LINES, '\n'),
  ]),
  'CNAB return file': [titles(), Buffer.alloc(BYTES, `${' '.repeat(60_000)}\n`)].map(
    (file) => () => readReturnFile(file),
  ),
  'card numbers in 256 KB': ['4-', '4 a ', '41 ', '٤-', '+4', '4111 1111 1111 1111 '].map(
    (unit) => {
      const text = unit.repeat(BODY_BYTES / Buffer.byteLength(unit))
      return async () => maskCardNumbers(text)
    },
  ),
  'order of 10,000 values': [
    () =>
      judge(
        `{"cart":[${Array(JSON_VALUES_MAX / 2 - 2)
          .fill('{}')
          .join()}]}`,
      ),
    () =>
      judge(
        `{"cart":[${Array(JSON_VALUES_MAX - 3)
          .fill('0')
          .join()}]}`,
      ),
  ],
}

const figures = (read) => Array.from({ length: PAIRS }, read)
const rows = []
rows.push(await pauseRow('idle event loop', [idle]))
for (const [name, reads] of Object.entries(READERS)) rows.push(await pauseRow(name, reads))
report('reader-pauses', rows)

async function idle() {
  for (let turns = 0; turns < 20_000; turns += 1) await turn()
}

/** Of the worst file, the median of several readings. */
async function pauseRow(name, reads) {
  const pauses = []
  for (const read of reads) pauses.push(await inTurn(figures(() => () => longestPauseMs(read))))
  const worst = pauses.toSorted((a, b) => medianOf(b) - medianOf(a))[0]
  return medianRow(`${name}: longest pause of the event loop, ms of processor time`, worst)
}

async function inTurn(works) {
  const results = []
  for (const work of works) results.push(await work())
  return results
}

function medianOf(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

async function longestPauseMs(read) {
  let longest = 0
  let last = processorMs()
  let ticking = setImmediate(tick)
  function tick() {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
    ticking = setImmediate(tick)
  }
  await turn()
  longest = 0
  // What a reader refuses, it has read so far.
  await Promise.resolve(read()).catch(() => undefined)
  await turn()
  clearImmediate(ticking)
  return longest
}

function processorMs() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function settlements(format, contents) {
  const { loadReader } = FORMATS.find(({ name }) => name === format)
  return contents.map((content) => async () => {
    const read = await loadReader()
    for await (const line of read([content], 'production')) if (!line) return
  })
}

function filled([head], line) {
  const lines = line.repeat(Math.ceil(BYTES / Buffer.byteLength(line)))
  return Buffer.from(`${head}\n${lines}`, 'latin1')
}

/** A bank's file with its first title over and over, numbered through. */
function titles() {
  const [header, title, ...others] = readFileSync(RETURN_FILE, 'latin1').trimEnd().split('\r\n')
  const count = Math.floor(BYTES / (title.length + 2))
  const numbered = [header, ...Array(count).fill(title), others.at(-1)].map(
    (record, index) => record.slice(0, 394) + String(index + 1).padStart(6, '0'),
  )
  return Buffer.from(numbered.join('\r\n'), 'latin1')
}

function judge(json) {
  if (holdsManyValues(Buffer.from(json))) throw new Error('it would be refused unread')
  const body = JSON.parse(json)
  transactionRequestTable.validate(body, requestFacts(body, {}))
}
