// Loaded before the product (`node --import`): what stops its one thread goes, as lines of JSON
// `{ kind, at, ms }`, to the file that COFRE_BENCH_PAUSES names. Garbage collections, and commits
// of SQLite that wrote the database's file: those were checkpoints.
import { appendFileSync, statSync } from 'node:fs'
import { PerformanceObserver, performance } from 'node:perf_hooks'
import process from 'node:process'
import { DatabaseSync, StatementSync } from 'node:sqlite'

const FILE = process.env.COFRE_BENCH_PAUSES

function record(kind, startMs, ms) {
  appendFileSync(FILE, `${JSON.stringify({ kind, at: performance.timeOrigin + startMs, ms })}\n`)
}

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) record('garbage', startTime, duration)
}).observe({ entryTypes: ['gc'] })

/** The database of each statement: `COMMIT` does not say which it is. */
const databases = new WeakMap()
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (...args) {
  const statement = prepare.apply(this, args)
  databases.set(statement, this)
  return statement
}

for (const method of ['all', 'run']) {
  const original = StatementSync.prototype[method]
  StatementSync.prototype[method] = function (...values) {
    if (this.sourceSQL !== 'COMMIT') return original.apply(this, values)
    const file = databases.get(this).location()
    const before = writtenAt(file)
    const startMs = performance.now()
    const result = original.apply(this, values)
    const ms = performance.now() - startMs
    if (writtenAt(file) !== before) record('checkpoint', startMs, ms)
    return result
  }
}

function writtenAt(file) {
  return statSync(file).mtimeMs
}
