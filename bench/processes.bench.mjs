// One process and two on one PostgreSQL database, and where the time of a payment goes: whether the
// second one pays on this machine.
import './lib/cleanup.mjs'
import os from 'node:os'
import { ofEach, timedPayments } from './lib/busy-sides.mjs'
import { digits, inPairs, medianRow, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { startProduct } from './lib/processes.mjs'

const CONNECTIONS = 64
const PAYMENTS = 2500
const CORES = os.cpus().length

const postgres = ENGINES.find(({ name }) => name === 'PostgreSQL')
const database = await postgres.start()
const first = await startProduct(database.environ)
// Of the same installation: the keys are files of the first one's folder.
const second = await startProduct({ ...database.environ, COFRE_DATA_DIR: first.dataDir })
const sides = { products: [first, second], database }

// Once for nothing: what has just started is slower.
await pay([first, second], [])
/** What each side's processors were busy with in each measurement, by the number of processes. */
const busyShares = { 1: [], 2: [] }
const { ours, limit, ratio, spread } = await inPairs({
  ours: () => pay([first, second], busyShares[2]),
  limit: () => pay([first], busyShares[1]),
})
await second.stop()
await first.stop()
await database.stop()
report('processes', [
  { what: 'PostgreSQL: token payments/s, one process', value: digits(limit) },
  { what: 'PostgreSQL: token payments/s, two processes', value: digits(ours) },
  { what: 'two beside one', value: digits(ratio), spread },
  ...shares('one process', busyShares[1]),
  ...shares('two processes', busyShares[2]),
])

/**
 * Payments a second by connections shared out over the processes; notes each side's share of the
 * cores.
 */
async function pay(products, measured) {
  const load = { products, count: PAYMENTS, connections: CONNECTIONS }
  const { seconds, busy } = await timedPayments(sides, load)
  measured.push(ofEach(busy, (own) => own / seconds / CORES))
  return PAYMENTS / seconds
}

function shares(processes, measured) {
  return Object.keys(measured[0]).map((who) =>
    medianRow(
      `${processes}: share of the ${CORES} cores that ${who} takes`,
      measured.map((shareOf) => shareOf[who]),
    ),
  )
}
