// What a payment costs each engine, counted: statements, commits, round trips, locks, and the bytes
// of the write-ahead log, alone and among others.
import './lib/cleanup.mjs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { digits, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { postgresLogBytes, sqliteLogBytes } from './lib/log-bytes.mjs'
import { startProduct } from './lib/processes.mjs'
import { countStatements, recordPayments } from './lib/recorded-payment.mjs'
import { makePayments, pay } from './lib/requests.mjs'

const WARM_UP = 100
/** So few that no log of SQLite is begun anew while they are made. */
const PAYMENTS = { 1: 150, 64: 600 }

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const value = (what, figure) => rows.push({ what: `${engine.name}: ${what}`, value: figure })
  const [payment] = await recordPayments(
    database.environ,
    mkdtempSync(path.join(tmpdir(), 'cost-')),
  )
  const { reads, writes, commits, roundTrips, locks } = countStatements(payment)
  value('statements of a payment that read', reads)
  value('statements of a payment that write', writes)
  value('commits of a payment', commits)
  if (roundTrips > 0) value('round trips of a payment', roundTrips)
  if (locks > 0) value('locks of tables, indexes and names that a payment takes', locks)
  const another = await database.another('bytes')
  const product = await startProduct(another)
  await pay(product, { count: WARM_UP, connections: 16 })
  for (const [connections, count] of Object.entries(PAYMENTS))
    value(
      `bytes of log of a payment, ${connections} connection${connections === '1' ? '' : 's'}`,
      digits(await logBytes({ product, url: another.COFRE_DATABASE_URL }, connections, count)),
    )
  await product.stop()
  await database.stop()
}
report('cost', rows)

async function logBytes({ product, url }, connections, count) {
  const requests = await makePayments(product, count)
  const bytes = () => (url === undefined ? sqliteLogBytes(product.dataDir) : postgresLogBytes(url))
  const before = await bytes()
  await drive({ port: product.ports.API, connections: Number(connections), requests })
  return ((await bytes()) - before) / count
}
