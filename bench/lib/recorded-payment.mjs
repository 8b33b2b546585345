// The statements of a payment as the product sends them, from a record of `statement-record.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { drive } from './load.mjs'
import { INSTANT_ACQUIRER, startProduct } from './processes.mjs'
import { makePayments, pay } from './requests.mjs'

const RECORDER = ['--import', new URL('statement-record.mjs', import.meta.url).href]
const WARM_UP = 5
const TRIES = 15
/** Between payments: for what workers do after one. */
const REST_MS = 100

/**
 * Payments one after the other, each as a list of `{ sql, values, schema, isRoundTrip }` and, on
 * PostgreSQL before each commit, `{ locks }`. Those that workers interfered with are left out:
 * another list has more commits, or is more frequent.
 */
export async function recordPayments(environ, folder) {
  const file = path.join(folder, 'statements')
  writeFileSync(file, '')
  const recording = { ...environ, COFRE_BENCH_STATEMENTS: file }
  const product = await startProduct(recording, { nodeOptions: [...INSTANT_ACQUIRER, ...RECORDER] })
  await pay(product, { count: WARM_UP, connections: 1 })
  const payments = []
  for (const request of await makePayments(product, TRIES)) {
    await pause(REST_MS)
    writeFileSync(file, '')
    await drive({ port: product.ports.API, connections: 1, requests: [request].values() })
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    payments.push(lines.map((line) => JSON.parse(line)))
  }
  await product.stop()
  const alike = Map.groupBy(payments, (payment) => payment.map(({ sql }) => sql).join())
  return [...alike.values()].toSorted(
    ([a, ...others], [b, ...more]) =>
      countStatements(b).commits - countStatements(a).commits || more.length - others.length,
  )[0]
}

/** How many statements of each kind a payment has, and what they cost. */
export function countStatements(payment) {
  const asked = payment.filter(({ sql }) => sql !== undefined)
  const count = (pattern) => asked.filter(({ sql }) => pattern.test(sql)).length
  return {
    reads: count(/^\s*(select ["*]|with )/i),
    writes: count(/^\s*(insert|update|delete)/i),
    commits: count(/^\s*commit/i),
    roundTrips: asked.filter(({ isRoundTrip }) => isRoundTrip).length,
    locks: payment.reduce((sum, { locks = 0 }) => sum + locks, 0),
  }
}
