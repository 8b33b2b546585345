// What a payment costs each engine, counted: statements, commits, round trips, locks, and the bytes
// of the write-ahead log, alone and among others, beside the bare program's.
import './lib/cleanup.mjs'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { counted, digits, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { postgresLogBytes, sqliteLogBytes } from './lib/log-bytes.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { countStatements, recordPayments } from './lib/recorded-payment.mjs'
import { untilQuiet } from './lib/quiet.mjs'
import { barePayments, makePayments } from './lib/requests.mjs'

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
  const { COFRE_DATABASE_URL: url } = another
  const product = await startProduct(another)
  const ours = await logBytes({
    port: product.ports.API,
    makeRequests: (count) => makePayments(product, count),
    bytes: () => logLength(url ?? product.dataDir),
    // Its index of the payments before them is written beside the next ones otherwise.
    rest: () => untilQuiet(product),
  })
  await product.stop()
  const bare = await startPeer('payments', await database.bare('bare_bytes'))
  const beside = await logBytes({
    port: bare.port,
    makeRequests: barePayments,
    bytes: () => logLength(bare.place),
  })
  await bare.stop()
  for (const connections of Object.keys(PAYMENTS)) {
    const [own, limit] = [ours[connections], beside[connections]]
    const at = counted(connections, 'connection')
    rows.push({
      what: `${engine.name}: bytes of log of a payment, ${at}`,
      ours: digits(own),
      limit: digits(limit),
      ratio: digits(own / limit),
    })
  }
  await database.stop()
}
report('cost', rows)

/** Of one payment, by the number of connections. */
async function logBytes({ port, makeRequests, bytes, rest = () => Promise.resolve() }) {
  await drive({ port, connections: 16, requests: await makeRequests(WARM_UP) })
  const figures = {}
  for (const [connections, count] of Object.entries(PAYMENTS)) {
    const requests = await makeRequests(count)
    await rest()
    const before = await bytes()
    await drive({ port, connections: Number(connections), requests })
    figures[connections] = ((await bytes()) - before) / count
  }
  return figures
}

/** @param place - The URL of a PostgreSQL server, or the folder of SQLite's files. */
async function logLength(place) {
  return place.startsWith('postgres') ? await postgresLogBytes(place) : sqliteLogBytes(place)
}
