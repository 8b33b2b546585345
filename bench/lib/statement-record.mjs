// Loaded before the product (`node --import`): appends a line of JSON for each statement of a
// request to the file that COFRE_BENCH_STATEMENTS names. What no request asked for is left out.
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { Server } from 'node:http'
import { createRequire } from 'node:module'
import process from 'node:process'
import { DatabaseSync, StatementSync } from 'node:sqlite'

const FILE = process.env.COFRE_BENCH_STATEMENTS
const { Client } = createRequire(import.meta.url)('pg')

const requests = new AsyncLocalStorage()
let requestCount = 0

const { emit } = Server.prototype
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args)
  return requests.run(++requestCount, () => emit.call(this, event, ...args))
}

function record(statement) {
  const request = requests.getStore()
  if (request === undefined) return
  appendFileSync(FILE, `${JSON.stringify({ request, ...statement }, asText)}\n`)
}

/** Numbers beyond JSON's as texts, bytes in hexadecimal digits. */
function asText(key, value) {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  // A Buffer has made JSON of itself before it comes here.
  if (value?.type === 'Buffer') return { bytes: Buffer.from(value.data).toString('hex') }
  return value
}

for (const method of ['all', 'get', 'run']) {
  const original = StatementSync.prototype[method]
  StatementSync.prototype[method] = function (...values) {
    const result = original.apply(this, values)
    record({ sql: this.sourceSQL, values })
    return result
  }
}
const { exec } = DatabaseSync.prototype
DatabaseSync.prototype.exec = function (sql) {
  record({ sql, values: [] })
  return exec.call(this, sql)
}

/** Those of its transaction, without that on the view itself; row locks lie in the rows. */
const LOCKS = `select count(*)::int as locks from pg_locks where pid = pg_backend_pid()
  and (locktype = 'advisory' or relation is not null and relation <> 'pg_locks'::regclass)`

/** A statement travels with others that have not been answered yet; else it is a round trip. */
const unanswered = new WeakMap()
const { query } = Client.prototype
Client.prototype.query = function (config, ...rest) {
  const pending = unanswered.get(this) ?? 0
  unanswered.set(this, pending + 1)
  const schema = /search_path=(\w+)/.exec(this.connectionParameters.options)?.[1]
  if (config === 'commit') query.call(this, LOCKS).then(({ rows: [row] }) => record(row))
  for (const [i, { sql, parameters }] of statementsOf(config, rest).entries())
    record({ schema, sql, values: parameters, isRoundTrip: pending === 0 && i === 0 })
  const answered = () => unanswered.set(this, unanswered.get(this) - 1)
  const asked = query.call(this, batchThatTells(config, answered), ...rest)
  asked?.then?.(answered, answered)
  return asked
}

/** Our own batches know theirs. */
function statementsOf(config, [given]) {
  if (config.statements !== undefined) return config.statements
  const { text = config, values = Array.isArray(given) ? given : [] } = config
  return [{ sql: text, parameters: values }]
}

/** A batch resolves no promise: it is told that it is over. */
function batchThatTells(config, over) {
  if (config.statements === undefined) return config
  for (const method of ['handleReadyForQuery', 'handleError']) {
    const original = config[method]
    config[method] = (...args) => {
      over()
      return original.apply(config, args)
    }
  }
  return config
}
