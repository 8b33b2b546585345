// Sessions and deposits a second over HTTP, beside a bare program that does for each what it cannot
// do without: one key pair, or one decryption and one durable row.
import './lib/cleanup.mjs'
import { inPairs, report, row } from './lib/compare.mjs'
import { ENGINES } from './lib/engines.mjs'
import { ask, drive, repeated } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { untilQuiet } from './lib/quiet.mjs'
import { encryptFor, makeTokens } from './lib/requests.mjs'

const CONNECTIONS = 16
const SECONDS = 2
/** More than a measurement deposits. */
const DEPOSITS = { SQLite: 9000, PostgreSQL: 5000 }
const BARE_DEPOSITS = 16_000
const TARGET = '>= 0.7'

const rows = []
for (const engine of ENGINES) {
  const database = await engine.start()
  const product = await startProduct(database.environ)
  await compareSessions(engine, database, product)
  await compareDeposits(engine, database, product)
  await product.stop()
  await database.stop()
}
report('sessions', rows)

async function compareSessions(engine, database, product) {
  const bare = await startPeer('sessions', await database.bare('bare_sessions'))
  const sessions = await inPairs({
    ours: () => rate(product.ports.VAULT, repeated(post('/sessions'))),
    async limit() {
      await untilQuiet(product)
      return await rate(bare.port, repeated(post('/')))
    },
  })
  await bare.stop()
  rows.push(row(`${engine.name}: sessions/s, ${CONNECTIONS} connections`, sessions, TARGET))
}

async function compareDeposits(engine, database, product) {
  const bare = await startPeer('deposits', await database.bare('bare_deposits'))
  const publicKey = await ask(`http://127.0.0.1:${bare.port}/`)
  const deposits = await inPairs({
    async ours() {
      const tokens = await makeTokens(product, DEPOSITS[engine.name], { deposited: false })
      await untilQuiet(product)
      return await rate(product.ports.VAULT, depositsOf(tokens, '/direct-tokens'))
    },
    async limit() {
      await untilQuiet(product)
      const tokens = []
      while (tokens.length < BARE_DEPOSITS) tokens.push(await encryptFor(publicKey))
      return await rate(bare.port, depositsOf(tokens, '/'))
    },
  })
  await bare.stop()
  rows.push(row(`${engine.name}: deposits/s, ${CONNECTIONS} connections`, deposits, TARGET))
}

async function rate(port, requests) {
  return (await drive({ port, connections: CONNECTIONS, seconds: SECONDS, requests })).perSecond
}

function post(path, body) {
  return { method: 'POST', path, body }
}

/** Each token once: a second time would be no deposit. */
function depositsOf(tokens, path) {
  return tokens.map((token) => post(path, token)).values()
}
