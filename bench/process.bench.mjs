// Memory at rest and under load, beside a bare Hono process; time from start to ready, beside an
// empty Node.
import './lib/cleanup.mjs'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { digits, inPairs, median, metOrMissed, report, row } from './lib/compare.mjs'
import { drive } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { makeTokens, paymentRequest } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const REST_MS = 3000

const memory = await inPairs({
  async ours() {
    const product = await startProduct()
    const bytes = await atRest(product.child)
    await product.stop()
    return bytes
  },
  async limit() {
    const peer = await startPeer('echo')
    const bytes = await atRest(peer.child)
    await peer.stop()
    return bytes
  },
})

const starts = []
const empties = []
for (let i = 0; i < PAIRS; i++) {
  const product = await startProduct()
  starts.push(product.readyMs)
  await product.stop()
  const startedAt = performance.now()
  spawnSync(process.execPath, ['-e', '0'])
  empties.push(performance.now() - startedAt)
}

const product = await startProduct()
const tokens = await makeTokens(`http://127.0.0.1:${product.ports.VAULT}`, 4000, {
  deposited: true,
})
const requests = tokens.map((token) => paymentRequest(token))
await drive({
  port: product.ports.API,
  connections: 64,
  seconds: 10,
  next: () => requests.pop(),
  expectStatus: 201,
})
const peak = megabytes(product.child.pid, 'VmHWM')
const loaded = megabytes(product.child.pid, 'VmRSS')
await product.stop()

const moreMs = median(starts) - median(empties)
report('process', [
  row('memory at rest, MB, beside a bare Hono', memory, '<= 2'),
  { what: 'memory at most during 4,000 payments at 64 connections, MB', ours: digits(peak) },
  { what: 'memory right after them, MB', ours: digits(loaded) },
  {
    what: 'ms from start to ready, beside node -e 0',
    ours: digits(median(starts)),
    limit: digits(median(empties)),
    ratio: `+ ${digits(moreMs)} ms`,
    target: '<= 1500 ms more',
    met: metOrMissed(moreMs, '<= 1500'),
  },
])

async function atRest({ pid }) {
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return megabytes(pid, 'VmRSS')
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
