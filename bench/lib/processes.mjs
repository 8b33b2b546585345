// Starts each measured program in its own process, so that neither the client nor the other side
// shares its event loop.
import { children } from './cleanup.mjs'
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { freePort } from '../../e2e/cofre-process.ts'

const COFRE = path.join(import.meta.dirname, '../../packages/server/dist/cofre.js')
const PEER = path.join(import.meta.dirname, 'peer-server.mjs')
/** An acquirer in the product's process charges cards. */
const INSTANT_ACQUIRER = ['--import', new URL('instant-acquirer.mjs', import.meta.url).href]
const ROLES = `API SANDBOX VAULT PANEL DEMO DEMO_PRODUCTION METRICS VAULT_SERVICE NOTICES SIMULATOR
  ADYEN CIELO INTER`.split(/\s+/)
const LIMITS = ['SESSIONS', 'DEPOSITS', 'REQUESTS', 'STORE_REQUESTS']

export const STORE = { id: 'bench-store', secret: 'a secret key for the benchmarks' }

/**
 * The whole product with fresh data.
 * @param environ - Added to its environment.
 * @param options.cofre - Default: this checkout's.
 * @param options.nodeOptions - Added to those of the acquirer that approves every charge at once.
 */
export async function startProduct(environ, { cofre = COFRE, nodeOptions = [] } = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'data-'))
  // A port for each role, so that several products can run side by side.
  const ports = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await freePort()])),
  )
  const options = [...INSTANT_ACQUIRER, ...nodeOptions]
  const child = spawn(process.execPath, [...options, cofre, 'dev', '--no-example'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      COFRE_DATA_DIR: dataDir,
      ...Object.fromEntries(ROLES.map((role) => [`COFRE_${role}_PORT`, String(ports[role])])),
      COFRE_DEV_STORE_ID: STORE.id,
      COFRE_DEV_STORE_SECRET: STORE.secret,
      COFRE_PURCHASE_LIMIT: '9999999999.00',
      // The shop of the benchmarks does not search after each notification: no notification is sent
      // twice.
      COFRE_NOTIFY_INTERVAL: '24h',
      COFRE_NOTIFY_DELAY: '0',
      // The whole load comes from one IP address.
      ...Object.fromEntries(LIMITS.map((what) => [`COFRE_${what}_PER_MINUTE`, '0'])),
      ...environ,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await saying(child, 'Press Ctrl-C')
  return { child, environ, dataDir, ports, stop: () => stop(child) }
}

/** Starts the bare server of peer-server.mjs for `kind`, on an engine. */
export async function startPeer(kind, engine) {
  const place = await engine.place(`bare_${kind}`)
  const port = await freePort()
  const child = fork(PEER, [kind, String(port), place], { silent: true })
  await saying(child, 'ready')
  return { port, place, stop: () => stop(child) }
}

/** Resolves to a process's output once it contains the text. The process ends with this one. */
export function saying(child, text) {
  children.add(child)
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk) => {
      output += chunk
      if (output.includes(text)) resolve(output)
    }
    child.stdout.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${output}`)))
  })
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
