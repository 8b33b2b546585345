// What the slowest payments wait for: garbage collections of the process, checkpoints, and a vacuum
// of PostgreSQL while payments run.
import './lib/cleanup.mjs'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { digits, median, report } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { drive, percentile } from './lib/load.mjs'
import { askPostgres } from './lib/log-bytes.mjs'
import { INSTANT_ACQUIRER, startProduct } from './lib/processes.mjs'
import { makePayments, pay } from './lib/requests.mjs'

const RECORDER = ['--import', new URL('lib/pauses-record.mjs', import.meta.url).href]
const CONNECTIONS = 16
/** On SQLite enough for several checkpoints. */
const PAYMENTS = { SQLite: 12_000, PostgreSQL: 4000 }
const WARM_UP = 1000
const TABLES = {
  cofre: ['transactions', 'notifications'],
  cofre_vault: ['authorizations', 'direct_tokens', 'audit_log', 'card_charges'],
}

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'pauses-')), 'pauses')
  writeFileSync(file, '')
  const environ = { ...database.environ, COFRE_BENCH_PAUSES: file }
  const product = await startProduct(environ, { nodeOptions: [...INSTANT_ACQUIRER, ...RECORDER] })
  await pay(product, { count: WARM_UP, connections: CONNECTIONS })
  const requests = await makePayments(product, PAYMENTS[engine.name])
  const work = engine.name === 'PostgreSQL' ? upkeep(database.url) : Promise.resolve([])
  const { exchanges } = await drive({
    port: product.ports.API,
    connections: CONNECTIONS,
    requests,
  })
  const own = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  show(engine, exchanges, [...own.map((line) => JSON.parse(line)), ...(await work)])
  await product.stop()
  await database.stop()
}
report('pauses', rows)

function show({ name }, exchanges, recorded) {
  const from = Math.min(...exchanges.map(({ sentAt }) => sentAt))
  const until = Math.max(...exchanges.map(endOf))
  const pauses = recorded.filter(({ at, ms }) => at < until && at + ms > from)
  const at = `${CONNECTIONS} connections`
  const latencies = exchanges.map(({ ms }) => ms)
  const value = (what, figure) => rows.push({ what: `${name}: ${what}`, value: digits(figure) })
  value(`token payment, median ms, ${at}, in a longer run`, median(latencies))
  value(`token payment, 99th percentile ms, ${at}, in a longer run`, percentile(latencies, 0.99))
  for (const [kind, ofKind] of Map.groupBy(pauses, (each) => each.kind)) {
    const times = ofKind.map(({ ms }) => ms)
    const share = times.reduce((sum, ms) => sum + ms, 0) / (until - from)
    value(`${kind}, how often`, times.length)
    value(`${kind}, longest ms`, Math.max(...times))
    value(`${kind}, share of the time`, share)
    const isMet = ({ sentAt, ms }) =>
      ofKind.some((each) => sentAt < each.at + each.ms && sentAt + ms > each.at)
    const [met, others] = [exchanges.filter(isMet), exchanges.filter((each) => !isMet(each))]
    if (met.length > 0) value(`${kind}, 99th percentile ms of payments that met one`, p99(met))
    if (others.length > 0) value(`${kind}, 99th percentile ms of the others`, p99(others))
  }
}

function endOf({ sentAt, ms }) {
  return sentAt + ms
}

function p99(exchanges) {
  return percentile(
    exchanges.map(({ ms }) => ms),
    0.99,
  )
}

/** While payments run: what PostgreSQL does by itself now and then. */
async function upkeep(url) {
  const done = []
  const timed = async (kind, sql) => {
    await pause(500)
    const startedAt = performance.now()
    await askPostgres(url, sql)
    const ms = performance.now() - startedAt
    done.push({ kind, at: performance.timeOrigin + startedAt, ms })
  }
  await timed('checkpoint', 'checkpoint')
  const tables = Object.entries(TABLES).flatMap(([schema, names]) =>
    names.map((name) => `${schema}.${name}`),
  )
  await timed('vacuum', `vacuum analyze ${tables.join(', ')}`)
  return done
}
