// One process and two on one PostgreSQL database, and where the time of a payment goes: whether the
// second one pays on this machine.
import './lib/cleanup.mjs'
import os from 'node:os'
import process from 'node:process'
import { digits, inPairs, medianRow, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { busySeconds, processTree } from './lib/process-tree.mjs'
import { startProduct } from './lib/processes.mjs'
import { makePayments } from './lib/requests.mjs'

const CONNECTIONS = 64
const PAYMENTS = 2500
const CORES = os.cpus().length

const postgres = ENGINES.find(({ name }) => name === 'PostgreSQL')
const database = await postgres.start()
const first = await startProduct(database.environ)
// Of the same installation: the keys are files of the first one's folder.
const second = await startProduct({ ...database.environ, COFRE_DATA_DIR: first.dataDir })

// Once for nothing: what has just started is slower.
await pay([first, second], [])
/** What each side's processors were busy with in each measurement, by the number of processes. */
const busy = { 1: [], 2: [] }
const { ours, limit, ratio, spread } = await inPairs({
  ours: () => pay([first, second], busy[2]),
  limit: () => pay([first], busy[1]),
})
await second.stop()
await first.stop()
await database.stop()
report('processes', [
  { what: 'PostgreSQL: token payments/s, one process', value: digits(limit) },
  { what: 'PostgreSQL: token payments/s, two processes', value: digits(ours) },
  { what: 'two beside one', value: digits(ratio), spread },
  ...shares('one process', busy[1]),
  ...shares('two processes', busy[2]),
])

/**
 * Payments a second by connections shared out over the processes; notes each side's share of the
 * cores.
 */
async function pay(products, measured) {
  const requests = await makePayments(first, PAYMENTS)
  const connections = CONNECTIONS / products.length
  const before = secondsOfEach()
  const startedAt = performance.now()
  await Promise.all(products.map(({ ports }) => drive({ port: ports.API, connections, requests })))
  const seconds = (performance.now() - startedAt) / 1000
  const after = secondsOfEach()
  const shareOf = (who) => (after[who] - before[who]) / seconds / CORES
  measured.push(Object.fromEntries(Object.keys(after).map((who) => [who, shareOf(who)])))
  return PAYMENTS / seconds
}

/** Seconds of processor time so far. With one process the other is at rest, and counts as well. */
function secondsOfEach() {
  const [load] = processTree(process.pid)
  return {
    Cofre: busySeconds(first.child.pid) + busySeconds(second.child.pid),
    PostgreSQL: busySeconds(database.pid),
    'the load': load.seconds,
  }
}

function shares(processes, measured) {
  return Object.keys(measured[0]).map((who) =>
    medianRow(
      `${processes}: share of the ${CORES} cores that ${who} takes`,
      measured.map((shareOf) => shareOf[who]),
    ),
  )
}
