// Loaded into a process with --import: at its end, prints the statements that SQLite has prepared
// anew at every run. SQLite asks its authorizer while it prepares, and never while it only runs.
import { DatabaseSync, StatementSync, constants } from 'node:sqlite'
import process from 'node:process'

/** A new database's migrations change its form, and so expire statements. */
const FIRST_RUNS = 3
const MIGRATION = 'kysely_migration'

const asked = new WeakSet()
const runs = new Map()
let isPreparing = false

const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (sql) {
  if (!asked.has(this)) {
    asked.add(this)
    this.setAuthorizer(() => {
      isPreparing = true
      return constants.SQLITE_OK
    })
  }
  return prepare.call(this, sql)
}

for (const method of ['run', 'all']) {
  const own = StatementSync.prototype[method]
  StatementSync.prototype[method] = function (...values) {
    isPreparing = false
    const result = own.apply(this, values)
    const { times, anew } = runs.get(this.sourceSQL) ?? { times: 0, anew: 0 }
    runs.set(this.sourceSQL, { times: times + 1, anew: anew + Number(isPreparing) })
    return result
  }
}

process.once('exit', () => {
  const anew = [...runs].filter(
    ([sql, { times, anew }]) => times > FIRST_RUNS && anew === times && !sql.includes(MIGRATION),
  )
  process.stdout.write(`prepared anew: ${JSON.stringify(anew.map(([sql]) => sql))}\n`)
  process.stdout.write(
    `statements run often: ${[...runs].filter(([, of]) => of.times > FIRST_RUNS).length}\n`,
  )
})
