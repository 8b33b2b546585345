// Memory at rest and under load, beside a bare Hono process; time from start to ready, beside an
// empty Node.
import './lib/cleanup.mjs'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { digits, inPairs, metOrMissed, report, row } from './lib/compare.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { pay } from './lib/requests.mjs'

const REST_MS = 3000

const memory = await inPairs({
  ours: () => atRest(startProduct({}, { nodeOptions: [] })),
  limit: () => atRest(startPeer('echo')),
})

const starts = await inPairs({
  async ours() {
    const product = await startProduct({}, { nodeOptions: [] })
    await product.stop()
    return product.readyMs
  },
  limit() {
    const startedAt = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - startedAt
  },
})

const product = await startProduct()
await pay(product, { count: 4000, connections: 64, seconds: 10 })
const peak = megabytes(product.child.pid, 'VmHWM')
const loaded = megabytes(product.child.pid, 'VmRSS')
await product.stop()

const moreMs = starts.ours - starts.limit
report('process', [
  row('memory at rest, MB, beside a bare Hono', memory, '<= 2'),
  { what: 'memory at most during 4,000 payments at 64 connections, MB', ours: digits(peak) },
  { what: 'memory right after them, MB', ours: digits(loaded) },
  {
    what: 'ms from start to ready, beside node -e 0',
    ours: digits(starts.ours),
    limit: digits(starts.limit),
    ratio: `+ ${digits(moreMs)} ms`,
    target: '<= 1000 ms more',
    met: metOrMissed(moreMs, '<= 1000'),
  },
])

async function atRest(starting) {
  const { child, stop } = await starting
  await pause(REST_MS)
  const resident = megabytes(child.pid, 'VmRSS')
  await stop()
  return resident
}

/**
 * What the process keeps in memory (VmRSS), or has kept at most (VmHWM); from Linux's /proc, so
 * this runs there alone.
 */
function megabytes(pid, figure) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(status)
  return Number(kilobytes) / 1024
}
