// Concurrent reads by key on PostgreSQL: over the shared connections, and with a connection of the
// pool for each read. Processor time of this process; the server's is not in it.
import './lib/cleanup.mjs'
import process from 'node:process'
import { openDatabase, prepare } from '../packages/sql/dist/index.js'
import { inPairs, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'

const READS = 5000
const CONCURRENT = 32

const server = await ENGINES.find(({ name }) => name === 'PostgreSQL').start()
const migrations = {
  '0001_create_notes': {
    up: ({ schema }) =>
      schema
        .createTable('notes')
        .addColumn('id', 'bigint', (id) => id.primaryKey())
        .execute(),
  },
}
const database = await openDatabase({ url: server.url, schema: 'reads', migrations })
const pool = server.poolOf('reads')
pool.on('error', () => undefined)
const find = prepare((db, { id }) => db.selectFrom('notes').select('id').where('id', '=', id))
const { name, sql: text, parameters: values } = find({ id: 1 }).on('postgres')

/** Microseconds of processor time a read. */
async function cost(read) {
  const before = process.cpuUsage()
  let left = READS
  const work = async () => {
    while (left-- > 0) await read()
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / READS
}

const costs = await inPairs({
  ours: () => cost(() => database.reader.run(find({ id: 1 }))),
  limit: () => cost(() => pool.query({ name, text, values })),
})
report('reads', [row(`PostgreSQL: µs a read, ${CONCURRENT} at once`, costs, '<= 0.85')])
await pool.end()
await database.close()
await server.stop()
