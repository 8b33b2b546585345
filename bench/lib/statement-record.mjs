// Loaded before the product (`node --import`), on SQLite: appends a line of JSON for each statement
// of a request to the file in COFRE_BENCH_STATEMENTS; statements of workers have no line.
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { Server } from 'node:http'
import process from 'node:process'
import { DatabaseSync, StatementSync } from 'node:sqlite'

const requests = new AsyncLocalStorage()
const { emit } = Server.prototype
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args)
  return requests.run(true, () => emit.call(this, event, ...args))
}

function recorded(method, textOf) {
  return function (...values) {
    const line = `${JSON.stringify(textOf(this, values))}\n`
    if (requests.getStore() === true) appendFileSync(process.env.COFRE_BENCH_STATEMENTS, line)
    return method.apply(this, values)
  }
}

for (const name of ['all', 'get', 'run'])
  StatementSync.prototype[name] = recorded(StatementSync.prototype[name], (of) => of.sourceSQL)
DatabaseSync.prototype.exec = recorded(DatabaseSync.prototype.exec, (_, [sql]) => sql)
