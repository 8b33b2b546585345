// The cost of a payment, counted: statements and commits (on SQLite; PostgreSQL gets the same), and
// the bytes of PostgreSQL's write-ahead log, alone and among others.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { digits, report } from './lib/compare.mjs'
import { askPostgres, startEngines } from './lib/engines.mjs'
import { drive } from './lib/load.mjs'
import { startProduct } from './lib/processes.mjs'
import { makePayments, pay } from './lib/requests.mjs'

const RECORDER = ['--import', new URL('lib/statement-record.mjs', import.meta.url).href]
const RECORDED = 20
const PAYMENTS = { 1: 150, 64: 600 }
const KINDS = {
  'statements that read': /^\s*(select ["*]|with )/i,
  'statements that write': /^\s*(insert|update|delete)/i,
  commits: /^\s*commit/i,
}

const rows = []
for await (const engine of startEngines()) {
  const environ = await engine.environ('own')
  const { COFRE_DATABASE_URL: url } = environ
  if (url === undefined) await countStatements()
  else await measureLog(url, await startProduct(environ))
}
report('cost', rows)

async function countStatements() {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'cost-')), 'statements')
  writeFileSync(file, '')
  const product = await startProduct({ COFRE_BENCH_STATEMENTS: file }, { nodeArgs: RECORDER })
  const payments = []
  for (const request of await makePayments(product, RECORDED)) {
    // Time for the workers' work after a payment.
    await pause(100)
    writeFileSync(file, '')
    await drive({ port: product.ports.api, connections: 1, requests: [request].values() })
    payments.push(readFileSync(file, 'utf8'))
  }
  await product.stop()
  // The most frequent list: workers may have disturbed the others.
  const alike = [...Map.groupBy(payments, (lines) => lines).values()]
  const [[lines]] = alike.toSorted((some, others) => others.length - some.length)
  const statements = lines.trim().split('\n')
  for (const [kind, pattern] of Object.entries(KINDS)) {
    const ours = statements.filter((line) => pattern.test(JSON.parse(line))).length
    rows.push({ what: `${kind} of a payment`, ours })
  }
}

async function measureLog(url, product) {
  const sql = "select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes"
  const length = async () => Number((await askPostgres(url, sql))[0].bytes)
  await pay(product, { count: 100, connections: 16 })
  for (const [connections, count] of Object.entries(PAYMENTS)) {
    const requests = await makePayments(product, count)
    const before = await length()
    await drive({ port: product.ports.api, connections: Number(connections), requests })
    const what = `PostgreSQL: bytes of log of a payment, ${connections} at once`
    rows.push({ what, ours: digits(((await length()) - before) / count) })
  }
  await product.stop()
}
