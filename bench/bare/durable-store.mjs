// A durable store as an expert writes it by hand: what waits when a commit begins shares it, and
// nobody is answered before it. It is a limit, not a product: a statement that fails, fails all.
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
 * @returns `commit`, which makes writes (`[name, ...values]`) durable and resolves to the rows of
 * each, and `read`, which resolves to the rows of one statement
 */
export async function openStore(place, plan) {
  return place.startsWith('postgres') ? await openPostgres(place, plan) : openSqlite(place, plan)
}

function openSqlite(folder, { name, tables, statements }) {
  const connection = new DatabaseSync(path.join(folder, `${name}.db`))
  connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; ${tables.replaceAll('unlogged ', '')}`)
  const prepared = mapValues(statements, (sql) => connection.prepare(sql))
  const [begin, end] = ['BEGIN IMMEDIATE', 'COMMIT'].map((sql) => connection.prepare(sql))
  const run = ([statement, ...values]) => prepared[statement].all(...values)
  const commits = grouped(1, async (works) => {
    const results = []
    begin.run()
    for (let next = works; next.length > 0; next = commits.more()) {
      for (const writes of next) results.push(writes.map(run))
      await turn()
    }
    end.run()
    return results
  })
  return { commit: commits.add, read: (...statement) => run(statement) }
}

async function openPostgres(url, { name, tables, statements }) {
  const connect = async () => {
    const client = new pg.Client({
      connectionString: url,
      options: `-c search_path=${name}`,
      pipeline: true,
    })
    // A server that stops ends this process too.
    client.on('error', () => process.exit())
    await client.connect()
    return client
  }
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, connect))
  await clients[0].query(`create schema ${name}`)
  await clients[0].query(tables)
  const texts = mapValues(statements, (sql) => {
    let parameters = 0
    return sql.replaceAll('?', () => `$${++parameters}`)
  })
  const ask = (client, [statement, ...values]) => {
    hold(client)
    return client.query({ name: statement, text: texts[statement], values })
  }
  const rowsOf = async (asked) => (await asked).rows
  const commits = grouped(CONNECTIONS, async (works) => {
    const client = clients.pop()
    hold(client)
    const begun = client.query('begin')
    const asked = works.map((writes) => writes.map((write) => ask(client, write)))
    const ended = client.query('commit')
    clients.push(client)
    await Promise.all([begun, ended])
    return await Promise.all(asked.map((each) => Promise.all(each.map(rowsOf))))
  })
  const reader = await connect()
  return { commit: commits.add, read: (...statement) => rowsOf(ask(reader, statement)) }
}

/** What is written in one turn leaves in one packet. */
function hold({ connection: { stream } }) {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Hands works to `commitAll` in groups, of which so many are under way at once. */
function grouped(atOnce, commitAll) {
  let waiting = []
  let joined = []
  let busy = 0
  const more = () => {
    const group = waiting
    waiting = []
    joined.push(...group)
    return group.map(({ writes }) => writes)
  }
  const run = async () => {
    await turn()
    while (waiting.length > 0) {
      joined = []
      const group = joined
      const results = await commitAll(more())
      for (const [i, { resolve }] of group.entries()) resolve(results[i])
    }
    busy -= 1
  }
  return {
    more,
    add: (writes) =>
      new Promise((resolve) => {
        waiting.push({ writes, resolve })
        if (busy === atOnce) return
        busy += 1
        void run()
      }),
  }
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
