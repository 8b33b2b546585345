// What the environment says about a run. With another number of pairs it is a trial: its results
// are not kept. Those of other sizes are kept beside those of the usual ones.
import process from 'node:process'

const { COFRE_BENCH_PAIRS, COFRE_BENCH_SIZES } = process.env

/** How often ours and the other are measured in turn. */
export const PAIRS = readPairs(COFRE_BENCH_PAIRS ?? '5')

/** Stored transactions that growth is measured at, each beside an installation that has none. */
export const SIZES = readSizes(COFRE_BENCH_SIZES ?? '100000,2000000')

export const IS_TRIAL = COFRE_BENCH_PAIRS !== undefined

/** What a result that depends on the sizes is called after its name. */
export const OF_SIZES = COFRE_BENCH_SIZES === undefined ? '' : `-${SIZES.join('-')}`

function readPairs(text) {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  return refuse('COFRE_BENCH_PAIRS', text, 'a number of pairs, from 1 to 999')
}

function readSizes(text) {
  const sizes = text.split(',').map(Number)
  const isAscending = sizes.every((size, i) => size > (sizes[i - 1] ?? 0))
  if (/^\d+(,\d+)*$/.test(text) && isAscending && sizes.length < 9) return sizes
  return refuse('COFRE_BENCH_SIZES', text, 'ascending numbers of transactions, like 100000,2000000')
}

function refuse(name, text, wanted) {
  process.stderr.write(`${name} is ${JSON.stringify(text)}, and should be ${wanted}.\n`)
  process.exit(2)
}
