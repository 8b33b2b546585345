import type { Connection, Database, Statement, StatementResult } from '@cofre/sql'

/**
 * A database whose units of work run prepared statements that are started together in reverse
 * order, as a driver may.
 */
export function reversingStatements<Tables>(database: Database<Tables>): Database<Tables> {
  return { ...database, transact: (work) => database.transact((trx) => work(reversing(trx))) }
}

function reversing<Tables>(trx: Connection<Tables>): Connection<Tables> {
  const started: (() => Promise<void>)[] = []
  const runAll = async (): Promise<void> => {
    for (const start of started.splice(0).toReversed()) await start()
  }
  const run = (statement: Statement): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      if (started.length === 0) void Promise.resolve().then(runAll)
      started.push(() => trx.run(statement).then(resolve, reject))
    })
  return new Proxy(trx, {
    get(target, name) {
      if (name === 'run') return run
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
