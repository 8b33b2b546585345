// A durable store as an expert writes it by hand: all waiting writes share the next commit, and no
// caller continues before it. It is a limit, not a product: one failed statement fails the whole
// group.
import path from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'

/** While one group waits for PostgreSQL's disk, the next is sent. */
const CONNECTIONS = 2
const CHECKPOINT_PAGES = 10_000

/**
 * Opens tables in a file of a folder, or in a schema of a PostgreSQL server.
 * @param place - A folder, or the URL of a server.
 * @param plan.statements - By name; parameters are question marks.
 * @returns `commit`, which makes writes (`[name, ...values]`) durable, and `read`, which resolves
 * to the rows of one statement
 */
export async function openStore(place, plan) {
  return place.startsWith('postgres') ? await openPostgres(place, plan) : openSqlite(place, plan)
}

function openSqlite(folder, { name, tables, statements }) {
  const connection = new DatabaseSync(path.join(folder, `${name}.db`))
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; ${tables}`)
  const prepared = mapValues(statements, (sql) => connection.prepare(sql))
  const [begin, end] = ['BEGIN IMMEDIATE', 'COMMIT'].map((sql) => connection.prepare(sql))
  const run = ([statement, ...values]) => prepared[statement].all(...values)
  const commit = grouped(1, (writes) => {
    begin.run()
    for (const write of writes) run(write)
    end.run()
  })
  return { commit, read: (...statement) => run(statement) }
}

async function openPostgres(url, { name, tables, statements }) {
  const connect = async () => {
    const options = `-c search_path=${name}`
    const client = new pg.Client({ connectionString: url, options, pipeline: true })
    // A server that stops also ends this process.
    client.on('error', () => process.exit())
    await client.connect()
    return client
  }
  const [reader, ...clients] = await Promise.all(Array.from({ length: CONNECTIONS + 1 }, connect))
  await reader.query(`create schema ${name}`)
  await reader.query(tables)
  const texts = mapValues(statements, (sql) => {
    let parameters = 0
    return sql.replaceAll('?', () => `$${++parameters}`)
  })
  const ask = (client, [statement, ...values]) =>
    client.query({ name: statement, text: texts[statement], values })
  const commit = grouped(CONNECTIONS, async (writes) => {
    const client = clients.shift()
    clients.push(client)
    const { stream } = client.connection
    // A group is sent in one packet.
    stream.cork()
    const asked = [client.query('begin'), ...writes.map((write) => ask(client, write))]
    asked.push(client.query('commit'))
    stream.uncork()
    await Promise.all(asked)
  })
  return { commit, read: async (...statement) => (await ask(reader, statement)).rows }
}

/** Passes waiting writes to `commitAll` in groups, at most `atOnce` at the same time. */
function grouped(atOnce, commitAll) {
  let waiting = []
  let busy = 0
  const run = async () => {
    await turn()
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commitAll(group.flatMap(({ writes }) => writes))
      for (const { resolve } of group) resolve()
    }
    busy -= 1
  }
  return async (writes) => {
    const { promise, resolve } = Promise.withResolvers()
    waiting.push({ writes, resolve })
    if (busy < atOnce) {
      busy += 1
      void run()
    }
    await promise
  }
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
