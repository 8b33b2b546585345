// Ratios measured in one run: ours and the limit in turn, pair by pair, so that a noisy machine
// hurts both alike.
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import process from 'node:process'
import { COMMIT } from './commit.mjs'
import { IS_TRIAL, PAIRS } from './settings.mjs'

/** Median of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? sorted[Math.floor(middle)]
    : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Measures two things in turn; who goes first alternates. Returns each round as a pair. */
export async function measureInTurn(pairs, [one, other]) {
  const results = []
  for (let pair = 0; pair < pairs; pair++) {
    const first = pair % 2 === 0 ? await one() : undefined
    const beside = await other()
    results.push([first ?? (await one()), beside])
  }
  return results
}

/** The medians of pairs of numbers, and the median, spread and interval of their ratios. */
export function compare(results) {
  const ratios = results.map(([a, b]) => a / b)
  return {
    ours: median(results.map(([a]) => a)),
    limit: median(results.map(([, b]) => b)),
    ratio: median(ratios),
    spread: spreadOf(ratios),
    interval: intervalOf(ratios),
  }
}

const CONFIDENCE = 0.95

/**
 * Between which two of the numbers the median of all that could be measured lies, in 95 of 100 runs
 * at least, whatever their distribution: by the ranks of the binomial distribution. Needs six.
 */
function intervalOf(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const count = sorted.length
  let outside = 0
  let chance = 0.5 ** count
  let rank = 0
  // How likely it is that so few numbers lie below the median, on either side.
  while (2 * (outside + chance) <= 1 - CONFIDENCE) {
    outside += chance
    rank++
    chance *= (count - rank + 1) / rank
  }
  if (rank === 0) return 'too few'
  return [sorted[rank - 1], sorted[count - rank]].map(digits).join(' - ')
}

function spreadOf(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)].map(digits).join(' - ')
}

/** Compares two measurements, each of one number. */
export async function inPairs({ pairs = PAIRS, ours, limit }) {
  return compare(await measureInTurn(pairs, [ours, limit]))
}

/** Prints rows as a table and, but for a trial's, keeps them as JSON under bench/results/. */
export function report(name, rows) {
  process.stdout.write(`\n${name}\n`)
  console.table(rows)
  if (IS_TRIAL) return
  const folder = new URL('../results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model ?? '?'}, Node ${process.versions.node}, ${os.platform()}`
  const result = { name, at: new Date().toISOString(), commit: COMMIT, machine, rows }
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(result, null, 2)}\n`)
}

/** A row of the table: figures with three digits. */
export function row(what, { ours, limit, ratio, spread }, target) {
  return {
    what,
    ours: digits(ours),
    limit: digits(limit),
    ratio: digits(ratio),
    spread,
    target,
    met: metOrMissed(ratio, target),
  }
}

/** A row of the table: the median and the spread of what was measured several times. */
export function medianRow(what, figures) {
  return { what, value: digits(median(figures)), spread: spreadOf(figures) }
}

/** Whether a figure reaches a target like `<= 1.3`; nothing where there is no target. */
export function metOrMissed(figure, target) {
  const [, relation, bound] = /^(<=|>=) ([\d.]+)/.exec(target) ?? []
  if (relation === undefined) return ''
  const isMet = relation === '<=' ? figure <= Number(bound) : figure >= Number(bound)
  return isMet ? 'met' : 'missed'
}

export function digits(number) {
  return Number(number.toPrecision(3))
}

/** Like `1 connection` or `64 connections`, of a number or its digits. */
export function counted(number, one, many = `${one}s`) {
  return `${number} ${Number(number) === 1 ? one : many}`
}
