// Starts what is measured, each in a process of its own, so that neither the client nor the other
// side shares its event loop.
import { endWithUs } from './cleanup.mjs'
import { execFileSync, fork, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../e2e/cofre-process.ts'

const COFRE = fileURLToPath(new URL('../../packages/server/dist/cofre.js', import.meta.url))
const PEER = fileURLToPath(new URL('peer-server.mjs', import.meta.url))

export const STORE = { id: 'bench-store', secret: 'a secret key for the benchmarks' }

/** What Node is started with, so that cards are charged by an acquirer in the product's process. */
export const INSTANT_ACQUIRER = ['--import', new URL('instant-acquirer.mjs', import.meta.url).href]

/**
 * The whole product with fresh data.
 * @param environ - Adds to its environment.
 * @param options.cofre - Of another checkout than this one.
 * @param options.nodeOptions - Default: those of an acquirer that approves every charge at once.
 */
export async function startProduct(
  environ = {},
  { cofre = COFRE, nodeOptions = INSTANT_ACQUIRER } = {},
) {
  const dataDir = environ.COFRE_DATA_DIR ?? mkdtempSync(path.join(tmpdir(), 'cofre-bench-'))
  const ports = await freePorts()
  const variables = Object.entries(ports).map(([name, port]) => [`COFRE_${name}_PORT`, port])
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, cofre, 'dev', '--no-example'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...Object.fromEntries(variables.map(([name, port]) => [name, String(port)])),
      COFRE_DATA_DIR: dataDir,
      COFRE_DEV_STORE_ID: STORE.id,
      COFRE_DEV_STORE_SECRET: STORE.secret,
      COFRE_PURCHASE_LIMIT: '9999999999.00',
      // Ours is a shop that does not search after each notification: a notification is not
      // sent twice.
      COFRE_NOTIFY_INTERVAL: '24h',
      COFRE_NOTIFY_DELAY: '0',
      // All the load comes from one address.
      COFRE_SESSIONS_PER_MINUTE: '0',
      COFRE_DEPOSITS_PER_MINUTE: '0',
      COFRE_REQUESTS_PER_MINUTE: '0',
      COFRE_STORE_REQUESTS_PER_MINUTE: '0',
      ...environ,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await saying(child, 'Press Ctrl-C')
  /** What a command prints, as the operator runs it beside the product. */
  const command = (...args) => {
    const env = { ...process.env, COFRE_DATA_DIR: dataDir, ...environ }
    return execFileSync(process.execPath, [cofre, ...args], { env, stdio: 'pipe' }).toString()
  }
  return {
    child,
    dataDir,
    ports,
    /** Makes another store, as the operator does. */
    createStore(id) {
      command('store', 'create', id)
    },
    /** Archives what may be, with the options of `cofre archive`; returns how many that were. */
    archive: (...options) => JSON.parse(command('archive', '--json', ...options)).archived,
    readyMs: performance.now() - startedAt,
    async stop() {
      await ended(child)
      if (environ.COFRE_DATA_DIR === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** One for each role, so that several products run side by side. */
async function freePorts() {
  const names = ['API', 'SANDBOX', 'VAULT', 'PANEL', 'DEMO', 'DEMO_PRODUCTION', 'METRICS']
  names.push('VAULT_SERVICE', 'NOTICES', 'SIMULATOR', 'ADYEN', 'CIELO', 'INTER')
  const ports = await Promise.all(names.map(async (name) => [name, await freePort()]))
  return Object.fromEntries(ports)
}

/**
 * The bare server of peer-server.mjs that does what `kind` says.
 * @param url - Of a PostgreSQL server; without it its database is files of a folder of its own.
 */
export async function startPeer(kind, { url } = {}) {
  const port = await freePort()
  const place = url ?? mkdtempSync(path.join(tmpdir(), 'cofre-bare-'))
  const child = fork(PEER, [kind, String(port), place], { silent: true })
  await saying(child, 'ready')
  return {
    child,
    port,
    ports: { API: port },
    /** Its folder, or the URL of its server. */
    place,
    async stop() {
      await ended(child)
      if (url === undefined) rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Resolves to what a process has printed, once it says this. It ends with us. */
export function saying(child, text) {
  endWithUs(child)
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

function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill('SIGTERM')
  })
}
