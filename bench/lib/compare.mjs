// Ratios measured in one run: Cofre and the limit in turn, pair by pair, so that a noisy machine
// affects both alike. COFRE_BENCH_PAIRS sets the number of pairs; its results are not stored.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import process from 'node:process'

const PAIRS = Number(process.env.COFRE_BENCH_PAIRS ?? 5)
/** Read at the start of a run: a commit may happen during it. */
const DESCRIBE = ['describe', '--always', '--dirty', '--exclude=*']
const COMMIT = String(spawnSync('git', DESCRIBE).stdout).trim()
const COLUMNS = ['what', 'ours', 'limit', 'ratio', 'spread', 'target', 'met']
const HEAD = ['what', 'Cofre', 'beside it', 'ratio', 'spread', 'target', 'result']

/** Median of numbers. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Measures two things in turn; the first one alternates. Returns each round as a pair. */
export async function measureInTurn([one, other]) {
  const results = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const first = pair % 2 === 0 ? await one() : undefined
    const beside = await other()
    results.push([first ?? (await one()), beside])
  }
  return results
}

/**
 * A row of the table from pairs of numbers: figures with three digits.
 * @param target - Such as `<= 1.3`, if there is one.
 */
export function row(what, pairs, target = '') {
  const [relation, bound] = target.split(' ')
  const ratios = pairs.map(([a, b]) => a / b).toSorted((a, b) => a - b)
  // From nine pairs on: the range of the median in 95 of 100 runs, by ranks.
  const rank = Math.max(1, Math.floor(pairs.length / 2 - 0.98 * Math.sqrt(pairs.length)))
  const ratio = digits(median(ratios))
  return {
    what,
    ours: digits(median(pairs.map(([a]) => a))),
    limit: digits(median(pairs.map(([, b]) => b))),
    ratio,
    spread: [ratios[rank - 1], ratios.at(-rank)].map(digits).join(' - '),
    target,
    met:
      target && (relation === '<=' ? ratio <= bound : ratio >= bound) ? 'met' : target && 'missed',
  }
}

/** Compares two measurements, each of one number. */
export async function inPairs(what, { ours, limit, target }) {
  return row(what, await measureInTurn([ours, limit]), target)
}

/** Prints rows as a table and stores them in bench/results/, unless it is a trial. */
export function report(name, rows) {
  process.stdout.write(`\n${name}\n`)
  console.table(rows)
  if (process.env.COFRE_BENCH_PAIRS !== undefined) return
  const machine = `${os.cpus().length} x ${os.cpus()[0].model}, Node ${process.versions.node}`
  const line = (cells) => `| ${cells.join(' | ')} |`
  const run = `${new Date().toISOString().slice(0, 10)}, commit ${COMMIT}, ${machine}.`
  const table = [HEAD, HEAD.map(() => '---'), ...rows.map((of) => COLUMNS.map((c) => of[c] ?? ''))]
  const text = [`# ${name}`, '', run, '', ...table.map(line), ''].join('\n')
  writeFileSync(new URL(`../results/${name}.md`, import.meta.url), text)
}

export function digits(number) {
  return Number(number.toPrecision(3))
}
