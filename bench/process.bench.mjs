// Memory at rest and under load, beside a bare Hono process; time from start to ready, beside an empty Node.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { digits, inPairs, median, report, row } from './lib/compare.mjs'
import { drive } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { makeTokens, paymentRequest } from './lib/requests.mjs'

const REST_MS = 3000
const STARTS = 5

const memory = await inPairs({
  pairs: 3,
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
for (let i = 0; i < STARTS; i++) {
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
const loaded = residentMegabytes(product.child.pid)
await product.stop()

report('process', [
  row('memory at rest, MB, beside a bare Hono', memory, '<= 2'),
  { what: 'memory after 4,000 payments at 64 connections, MB', ours: digits(loaded) },
  {
    what: 'ms from start to ready, beside node -e 0',
    ours: digits(median(starts)),
    limit: digits(median(empties)),
    ratio: `+ ${digits(median(starts) - median(empties))} ms`,
    target: '<= 1500 ms more',
  },
])

async function atRest({ pid }) {
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  return residentMegabytes(pid)
}

/** What the process keeps in memory; read from Linux's /proc, so this benchmark runs there alone. */
function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes) / 1024
}
