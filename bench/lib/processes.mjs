// Starts what is measured, each in a process of its own, so that neither the client nor the other
// side shares its event loop.
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
/** Cards are charged by an acquirer in the product's process. */
const INSTANT_ACQUIRER = ['--import', new URL('instant-acquirer.mjs', import.meta.url).href]
const ROLES = `API SANDBOX VAULT PANEL DEMO DEMO_PRODUCTION METRICS VAULT_SERVICE NOTICES SIMULATOR
  ADYEN CIELO INTER`.split(/\s+/)
const LIMITS = ['SESSIONS', 'DEPOSITS', 'REQUESTS', 'STORE_REQUESTS']

export const STORE = { id: 'bench-store', secret: 'a secret key for the benchmarks' }

/**
 * The whole product with fresh data.
 * @param environ - Adds to its environment.
 * @param options.cofre - Of another checkout than this one.
 * @param options.nodeOptions - Besides those of an acquirer that approves every charge at once.
 */
export async function startProduct(environ, { cofre = COFRE, nodeOptions = [] } = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'data-'))
  // One for each role, so that several products run side by side.
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
      // Ours is a shop that does not search after each notification: a notification is not
      // sent twice.
      COFRE_NOTIFY_INTERVAL: '24h',
      COFRE_NOTIFY_DELAY: '0',
      // All the load comes from one address.
      ...Object.fromEntries(LIMITS.map((what) => [`COFRE_${what}_PER_MINUTE`, '0'])),
      ...environ,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await saying(child, 'Press Ctrl-C')
  return { child, environ, dataDir, ports, stop: () => stop(child) }
}

/** The bare server of peer-server.mjs that does what `kind` says, on an engine. */
export async function startPeer(kind, engine) {
  const place = await engine.place(`bare_${kind}`)
  const port = await freePort()
  const child = fork(PEER, [kind, String(port), place], { silent: true })
  await saying(child, 'ready')
  return { port, place, stop: () => stop(child) }
}

/** Resolves to what a process has printed, once it says this. It ends with us. */
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
