// A model of payments on PostgreSQL: what one costs each component, what N processes and a database
// of M cores then do, and whether this machine does what the model predicts when each component has
// a core of its own.
import './lib/cleanup.mjs'
import { mkdtempSync } from 'node:fs'
import os, { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { ofEach, timed, timedPayments } from './lib/busy-sides.mjs'
import { counted, digits, median, medianRow, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { postgresLogBytes } from './lib/log-bytes.mjs'
import { hasPgbench, pgbenchRate } from './lib/pgbench.mjs'
import { canPin, pin } from './lib/pin.mjs'
import { startProduct } from './lib/processes.mjs'
import { recordPayments } from './lib/recorded-payment.mjs'
import { makePayments } from './lib/requests.mjs'
import { PAIRS } from './lib/settings.mjs'

const CONNECTIONS = 64
const PAYMENTS = 1500
const REST_MS = 2000
/** As many payments under way as above, in commits as large as groups become. */
const PGBENCH = { clients: 4, group: 16, seconds: 5 }
/** Gateway processes, and cores of the database's machine. */
const SIZES = [
  [1, 1],
  [2, 2],
  [4, 4],
  [8, 8],
  [16, 16],
]
/** A core that works all the time answers late: so much of it is to be planned with. */
const PLANNED_SHARE = 0.7

const rows = []
const value = (what, figure) => rows.push({ what, value: digits(figure) })
const note = (what, text) => rows.push({ what, value: text })

const database = await ENGINES.find(({ name }) => name === 'PostgreSQL').start()
const folder = mkdtempSync(path.join(tmpdir(), 'model-'))
const replayed = await database.another('replayed')
const recorded = await recordPayments(replayed, folder)
const product = await startProduct(database.environ)
const second = await startProduct({ ...database.environ, COFRE_DATA_DIR: product.dataDir })
const everything = [product, second]
const sides = { products: everything, database }

const atRest = await restingShares()
// Once for nothing: what has just started is slower.
await measure([product])
const cost = await costs([product])
for (const [who, ms] of Object.entries(cost)) value(`ms of processor of a payment, ${who}`, ms)
value('bytes of log of a payment', await logBytes())
predict()
if (canPin()) await check()
else note('one core for each component', 'not checked: no taskset or only one core')
await second.stop()
await product.stop()
if (hasPgbench()) await ceiling()
else note('pgbench of the same statements', 'not measured: it is not installed')
await database.stop()
report('model', rows)

/**
 * Payments a second, the milliseconds of processor time of each side for each payment, and the
 * share of a core that each side uses.
 */
async function measure(products) {
  const load = { products, count: PAYMENTS, connections: CONNECTIONS }
  const { seconds, busy } = await timedPayments(sides, load)
  return {
    perSecond: PAYMENTS / seconds,
    ms: ofEach(busy, (own, who) => ((own - atRest[who] * seconds) * 1000) / PAYMENTS),
    shares: ofEach(busy, (own) => own / seconds),
  }
}

/**
 * What workers and their questions cost while nobody pays: seconds of processor a second. The load
 * has nothing to do then but to tidy up after what it did before.
 */
async function restingShares() {
  const { seconds, busy } = await timed(sides, () => pause(REST_MS))
  return { ...ofEach(busy, (own) => own / seconds), 'the load': 0 }
}

async function costs(products) {
  const rounds = []
  for (let round = 0; round < PAIRS; round++) rounds.push((await measure(products)).ms)
  return ofEach(rounds[0], (_, who) => median(rounds.map((ms) => ms[who])))
}

async function logBytes() {
  const requests = await makePayments(product, PAYMENTS)
  const before = await postgresLogBytes(database.url)
  await drive({ port: product.ports.API, connections: CONNECTIONS, requests })
  return ((await postgresLogBytes(database.url)) - before) / PAYMENTS
}

/** Whichever side is used up first; the load is elsewhere, and connections are enough. */
function modelled({ processes, cores, loadOnDatabase = 0 }) {
  const gateway = (processes * 1000) / cost.Cofre
  return Math.min(gateway, (cores * 1000) / (cost.PostgreSQL + loadOnDatabase))
}

function predict() {
  for (const [processes, cores] of SIZES) {
    const perSecond = modelled({ processes, cores }) * PLANNED_SHARE
    const own = counted(processes, 'process', 'processes')
    const what = `${own} and a database of ${counted(cores, 'core')}`
    value(`model: payments/s, ${what}`, perSecond)
  }
}

/** Cofre on one core, PostgreSQL and the load on the other. */
async function check() {
  // All others are below this process, and so go where it goes.
  pin(process.pid, 1)
  for (const { child } of everything) pin(child.pid, 0)
  const predicted = modelled({ processes: 1, cores: 1, loadOnDatabase: cost['the load'] })
  for (const products of [[product], everything]) {
    await measure(products)
    const rounds = []
    for (let round = 0; round < PAIRS; round++) rounds.push(await measure(products))
    const who = products.length === 1 ? 'one process' : 'two processes'
    const where = `${who} on one core, database on another`
    const ratios = rounds.map(({ perSecond }) => perSecond / predicted)
    rows.push(medianRow(`measured beside predicted, ${where}`, ratios))
    const own = rounds.map(({ shares }) => shares.Cofre)
    rows.push(medianRow(`busy share of Cofre's core, ${where}`, own))
    const others = rounds.map(({ shares }) => shares.PostgreSQL + shares['the load'])
    rows.push(medianRow(`busy share of the other core, ${where}`, others))
  }
}

/** With the database on one core, and without Cofre. */
async function ceiling() {
  const cores = os.cpus().length
  if (canPin()) {
    pin(process.pid, 0)
    pin(database.pid, 1)
  }
  const rates = []
  for (let round = 0; round < PAIRS; round++)
    rates.push(
      await pgbenchRate({ url: replayed.COFRE_DATABASE_URL, folder, recorded, round, ...PGBENCH }),
    )
  const where = canPin() ? 'database on one core' : `database on ${cores} cores`
  rows.push(
    medianRow(
      `pgbench of the same statements, ${PGBENCH.group} payments a commit: payments/s, ${where}`,
      rates,
    ),
  )
}
