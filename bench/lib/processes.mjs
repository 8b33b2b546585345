// Starts each measured program in its own process, so that neither the client nor the other side
// shares its event loop.
import './cleanup.mjs'
import path from 'node:path'
import { COFRE, freePorts, launch } from '../../e2e/cofre-process.ts'

const PEER = path.join(import.meta.dirname, 'peer-server.mjs')
/** An acquirer in the product's process charges cards. */
const INSTANT_ACQUIRER = ['--import', new URL('instant-acquirer.mjs', import.meta.url).href]
const ENVIRON = {
  NODE_ENV: 'production',
  COFRE_PURCHASE_LIMIT: '9999999999.00',
  // The shop of the benchmarks does not search after each notification: no notification is sent
  // twice.
  COFRE_NOTIFY_INTERVAL: '24h',
  COFRE_NOTIFY_DELAY: '0',
  // The whole load comes from one IP address.
  COFRE_SESSIONS_PER_MINUTE: '0',
  COFRE_DEPOSITS_PER_MINUTE: '0',
  COFRE_REQUESTS_PER_MINUTE: '0',
  COFRE_STORE_REQUESTS_PER_MINUTE: '0',
}

/** Starts the whole product with fresh data; the environment and arguments of Node are added. */
export async function startProduct(environ, { program = COFRE, nodeArgs = [] } = {}) {
  const ports = await freePorts()
  const product = await launch({
    ports,
    program,
    args: ['dev', '--no-example'],
    ready: 'Press Ctrl-C to stop.',
    environ: { ...ENVIRON, COFRE_METRICS_PORT: String(ports.metrics), ...environ },
    nodeArgs: [...INSTANT_ACQUIRER, ...nodeArgs],
  })
  return { ...product, environ }
}

/** Starts the bare server of peer-server.mjs for `kind`, on an engine. */
export async function startPeer(kind, engine) {
  const ports = await freePorts()
  const args = [kind, String(ports.api), await engine.place(`bare_${kind}`)]
  const { stop } = await launch({ ports, program: PEER, args, ready: 'ready', environ: {} })
  return { port: ports.api, stop }
}
