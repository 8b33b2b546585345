// What the help of the command takes of the processor, beside Node alone: the time of the program
// and of the system for it, which other programs hardly lengthen.
import './lib/cleanup.mjs'
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { URL, fileURLToPath } from 'node:url'
import { inPairs, median, report, row } from './lib/compare.mjs'

const COMMAND = fileURLToPath(new URL('../packages/server/dist/cofre.js', import.meta.url))
const LINES = [['--help'], ['--version'], ['store', '--help']]
/** Median of as many: a single start is too short. */
const STARTS = 9
/** Has a process say at its end what it took. */
const COUNTING = `data:text/javascript,${encodeURIComponent(`process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write('took ' + (user + system) / 1000)
})`)}`

const rows = []
for (const line of LINES) {
  const pair = { ours: () => cpuMs([COMMAND, ...line]), limit: () => cpuMs(['-e', '0']) }
  rows.push(row(`ms of the processor: cofre ${line.join(' ')}`, await inPairs(pair), '<= 4'))
}
report('command', rows)

/** Milliseconds of the processor that a start of Node takes, with its arguments. */
function cpuMs(args) {
  const starts = Array.from({ length: STARTS }, () => {
    const { stderr } = spawnSync(process.execPath, ['--import', COUNTING, ...args], {
      encoding: 'utf8',
    })
    const took = Number(/took ([\d.]+)$/.exec(stderr)?.[1])
    if (Number.isNaN(took)) throw new Error(stderr)
    return took
  })
  return median(starts)
}
