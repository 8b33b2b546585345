// Sessions and deposits a second over HTTP, beside the one cryptographic operation that each cannot
// do without.
import './lib/cleanup.mjs'
import { setTimeout as pause } from 'node:timers/promises'
import { inPairs, report, row } from './lib/compare.mjs'
import { ask, drive, repeated } from './lib/load.mjs'
import { startPeer, startProduct } from './lib/processes.mjs'
import { encryptFor, makeTokens } from './lib/requests.mjs'

const CONNECTIONS = 16
const SECONDS = 2
/** More than a measurement deposits. */
const DEPOSITS = 9000
/** Between the preparation and the measurement, for what the preparation has left to do. */
const PAUSE_MS = 500

const product = await startProduct()
const rate = async (port, requests) =>
  (await drive({ port, connections: CONNECTIONS, seconds: SECONDS, requests })).perSecond
const post = (path, body) => ({ method: 'POST', path, body })

const keyPair = await startPeer('key-pair')
const sessions = await inPairs({
  ours: () => rate(product.ports.VAULT, repeated(post('/sessions'))),
  limit: () => rate(keyPair.port, repeated(post('/'))),
})
await keyPair.stop()

const decrypt = await startPeer('jwe-decrypt')
const publicKey = await ask(`http://127.0.0.1:${decrypt.port}/`)
const bareToken = await encryptFor(publicKey)
const deposits = await inPairs({
  async ours() {
    const tokens = await makeTokens(product, DEPOSITS, { deposited: false })
    await pause(PAUSE_MS)
    const requests = tokens.map((token) => post('/direct-tokens', token)).values()
    return await rate(product.ports.VAULT, requests)
  },
  limit: () => rate(decrypt.port, repeated(post('/', bareToken))),
})
await decrypt.stop()
await product.stop()

report('sessions', [
  row('sessions/s beside one P-256 key pair', sessions, '>= 0.6'),
  row('deposits/s beside one jose decryption', deposits, '>= 0.6'),
])
