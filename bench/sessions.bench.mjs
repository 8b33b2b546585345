// Sessions and deposits per second over HTTP, beside a bare program with the minimal work of each:
// one key pair, or one decryption and one durable row.
import { inPairs, report } from './lib/compare.mjs'
import { startEngines } from './lib/engines.mjs'
import { ask, drive, repeated, untilQuiet } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { depositsOf, encryptFor, makeTokens } from './lib/requests.mjs'

const CONNECTIONS = 16
const SECONDS = 2
/** More than a measurement deposits. */
const DEPOSITS = { SQLite: 9000, PostgreSQL: 5000 }
const BARE_DEPOSITS = 16_000

const rows = []
for await (const engine of startEngines()) {
  const product = await startProduct(await engine.environ('own'))
  const bare = await startPeer('sessions', engine)
  const sessions = await inPairs(`${engine.name}: sessions/s, ${CONNECTIONS} at once`, {
    target: '>= 0.7',
    ours: () => rate(product.ports.vault, repeated({ method: 'POST', path: '/sessions' })),
    limit: () => rate(bare.port, repeated({ method: 'POST', path: '/' })),
  })
  const bareVault = await startPeer('deposits', engine)
  const publicKey = await ask(`http://127.0.0.1:${bareVault.port}/`)
  const deposits = await inPairs(`${engine.name}: deposits/s, ${CONNECTIONS} at once`, {
    target: '>= 0.7',
    async ours() {
      const tokens = await makeTokens(product, DEPOSITS[engine.name], { deposited: false })
      await untilQuiet(product)
      return await rate(product.ports.vault, depositsOf(tokens, '/direct-tokens'))
    },
    async limit() {
      await untilQuiet(product)
      const tokens = []
      while (tokens.length < BARE_DEPOSITS) tokens.push(await encryptFor(publicKey))
      return await rate(bareVault.port, depositsOf(tokens, '/'))
    },
  })
  rows.push(sessions, deposits)
  for (const { stop } of [bare, bareVault, product]) await stop()
}
report('sessions', rows)

async function rate(port, requests) {
  return (await drive({ port, connections: CONNECTIONS, seconds: SECONDS, requests })).perSecond
}
