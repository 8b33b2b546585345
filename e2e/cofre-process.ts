import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { type Server, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const COFRE = fileURLToPath(new URL('../packages/server/dist/cofre.js', import.meta.url))

const ROLES_WITH_ACQUIRERS = fileURLToPath(new URL('roles-with-acquirers.mjs', import.meta.url))

export const STORE = { id: 'e2e-store', secret: 'a secret key for the stories' }

export interface Ports {
  readonly api: number
  readonly sandbox: number
  readonly vault: number
  readonly panel: number
  readonly demo: number
  readonly metrics: number
  readonly notices: number
  /** The pages of the simulated banks and acquirers. */
  readonly bank: number
  readonly inter: number
  readonly adyen: number
  readonly cielo: number
  readonly productionDemo: number
}

export interface StoredFile {
  readonly name: string
  readonly bytes: Buffer
}

/** A `cofre` process with its own data. */
export interface CofreProcess {
  readonly ports: Ports
  readonly pid: number
  readonly dataDir: string
  /** Everything the process has printed. */
  output(): string
  /** Every file in the data directory: databases with their journals, logs, keys. */
  files(): StoredFile[]
  /** Stops with Ctrl-C and resolves to the exit code. */
  stop(): Promise<number | null>
  /** Ends the process without warning, as a crash does. */
  kill(): Promise<void>
  /** Stops and deletes the data. */
  dispose(): Promise<void>
}

// Below the range that systems use for outgoing connections: the stories make many.
const PORTS_FROM = 10_000
const BLOCK_PORTS = 200
const BLOCKS = 100
let block: Promise<number> | undefined
let portsGiven = 0

/**
 * The first port of a block that no other test process uses, in any worktree: the owner listens
 * there until it ends.
 */
async function claimBlock(): Promise<number> {
  const first = randomInt(BLOCKS)
  for (let i = 0; i < BLOCKS; i++) {
    const port = PORTS_FROM + BLOCK_PORTS * ((first + i) % BLOCKS)
    const owner = await listenAlone(port)
    owner?.unref()
    if (owner !== undefined) return port
  }
  throw new Error('every block of ports is taken')
}

/** A port that no program listens on. */
export async function freePort(): Promise<number> {
  const from = await (block ??= claimBlock())
  for (;;) {
    const port = from + 1 + (portsGiven++ % (BLOCK_PORTS - 1))
    const holder = await listenAlone(port)
    if (holder === undefined) continue
    await new Promise((resolve) => holder.close(resolve))
    return port
  }
}

/** Undefined if another program listens. */
function listenAlone(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => {
      resolve(undefined)
    })
    server.listen(port, '127.0.0.1', () => {
      resolve(server)
    })
  })
}

export async function freePorts(): Promise<Ports> {
  const ports = await Promise.all(Array.from({ length: 12 }, freePort))
  const [api = 0, sandbox = 0, vault = 0, panel = 0, demo = 0, metrics = 0, ...others] = ports
  const [notices = 0, bank = 0, inter = 0, adyen = 0, cielo = 0, productionDemo = 0] = others
  const simulated = { bank, inter, adyen, cielo }
  return { api, sandbox, vault, panel, demo, metrics, notices, ...simulated, productionDemo }
}

/** A failed story leaves its processes running: they end with the tests' process. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const LATER_CLOCK = 'const now = Date.now; Date.now = () => now() + 180000'
/** A clock three minutes ahead: work that a kill interrupted is due at once. */
export const LATER: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(LATER_CLOCK)}`,
}

/** Environment of processes that share one PostgreSQL; the first serves the vault to the others. */
export function environOverPostgres(
  url: string,
  servicePort: number,
): Readonly<Record<string, string>> {
  const key = `e2e:${randomBytes(32).toString('base64url')}`
  return {
    COFRE_VAULT_KEYS: key,
    COFRE_GATEWAY_KEY: key,
    COFRE_VAULT_SERVICE_KEY: key,
    COFRE_VAULT_SERVICE_PORT: String(servicePort),
    COFRE_DATABASE_URL: url,
    COFRE_VAULT_DATABASE_URL: url,
  }
}

/** How to start a process. */
interface Launch {
  readonly ports: Ports
  readonly program?: string
  readonly args: readonly string[]
  /** Printed once the process is ready. */
  readonly ready: string
  readonly environ: Readonly<Record<string, string>>
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[]
}

/** Starts `cofre dev` without example payments, and waits until it prints its addresses. */
export function startCofre(
  ports: Ports,
  environ: Readonly<Record<string, string>> = {},
  nodeArgs: readonly string[] = [],
): Promise<CofreProcess> {
  return startDev(['--no-example'], ports, { environ, nodeArgs })
}

/** Starts `cofre dev` as a newcomer does. */
export function startAsNewcomer(ports: Ports): Promise<CofreProcess> {
  return startDev([], ports, { environ: {}, nodeArgs: [] })
}

/** Starts `cofre dev` as a trial for others, behind the password in a file. */
export function startTrial(ports: Ports, passwordFile: string): Promise<CofreProcess> {
  const options = ['--no-example', '--host', '127.0.0.1', '--password-file', passwordFile]
  return startDev(options, ports, { environ: {}, nodeArgs: [] })
}

function startDev(
  options: readonly string[],
  ports: Ports,
  { environ, nodeArgs }: Required<Pick<Launch, 'environ' | 'nodeArgs'>>,
): Promise<CofreProcess> {
  return launch({
    ports,
    args: ['dev', ...options],
    ready: 'Press Ctrl-C to stop.',
    // Not for a vault beside it: the first process with the port serves its metrics there.
    environ: { COFRE_METRICS_PORT: String(ports.metrics), ...environ },
    nodeArgs,
  })
}

/** Starts a stand-alone vault. */
export function startVault(
  ports: Ports,
  environ: Readonly<Record<string, string>>,
): Promise<CofreProcess> {
  return startRoles('vault', ports, environ)
}

/** Starts a vault that simulates Adyen and Cielo for the store in `COFRE_DEV_STORE_ID`. */
export function startVaultWithAcquirers(
  ports: Ports,
  environ: Readonly<Record<string, string>>,
): Promise<CofreProcess> {
  return startRolesWithAcquirers('vault', ports, environ)
}

/** Starts a process with only these roles. Its vault simulates Adyen and Cielo. */
export function startRolesWithAcquirers(
  roles: string,
  ports: Ports,
  environ: Readonly<Record<string, string>>,
): Promise<CofreProcess> {
  return launch({ ports, program: ROLES_WITH_ACQUIRERS, args: [roles], ready: STARTED, environ })
}

/** Logged once the process serves. */
const STARTED = '"msg":"started"'

/** Starts a process with only these roles. @param roles - Separated by commas. */
export function startRoles(
  roles: string,
  ports: Ports,
  environ: Readonly<Record<string, string>>,
): Promise<CofreProcess> {
  const args = ['serve', '--roles', roles]
  return launch({ ports, args, ready: STARTED, environ: { ...environ } })
}

/** Starts a program, and waits until it is ready. It ends with this process. */
export async function launch(options: Launch): Promise<CofreProcess> {
  const { ports, program = COFRE, args, ready, environ, nodeArgs = [] } = options
  const dataDir = environ.COFRE_DATA_DIR ?? mkdtempSync(path.join(tmpdir(), 'cofre-e2e-'))
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    env: {
      ...process.env,
      COFRE_DATA_DIR: dataDir,
      COFRE_API_PORT: String(ports.api),
      COFRE_SANDBOX_PORT: String(ports.sandbox),
      COFRE_VAULT_PORT: String(ports.vault),
      COFRE_PANEL_PORT: String(ports.panel),
      COFRE_DEMO_PORT: String(ports.demo),
      COFRE_NOTICES_PORT: String(ports.notices),
      COFRE_SIMULATOR_PORT: String(ports.bank),
      COFRE_ADYEN_PORT: String(ports.adyen),
      COFRE_CIELO_PORT: String(ports.cielo),
      COFRE_INTER_PORT: String(ports.inter),
      COFRE_DEMO_PRODUCTION_PORT: String(ports.productionDemo),
      COFRE_DEV_STORE_ID: STORE.id,
      COFRE_DEV_STORE_SECRET: STORE.secret,
      ...environ,
    },
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await waitForOutput(child, () => output.includes(ready))
  const stop = (): Promise<number | null> => ended(child, 'SIGINT')
  return {
    ports,
    pid: child.pid ?? 0,
    dataDir,
    output: () => output,
    files: () => readFiles(dataDir),
    stop,
    async kill() {
      await ended(child, 'SIGKILL')
    },
    async dispose() {
      await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Disables the account that `cofre dev` gave the store in production: `serve` starts no simulated
 * bank.
 */
export async function disableSimulator(environ: Readonly<Record<string, string>>): Promise<void> {
  const run = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, ...environ }
    const ended = await promisify(execFile)(process.execPath, [COFRE, 'account', ...args], { env })
    return ended.stdout
  }
  const accounts = JSON.parse(await run('list', '--json')) as { id: string; kind: string }[]
  for (const { id, kind } of accounts) if (kind === 'simulator') await run('disable', id)
}

/** Every file in a folder and below; a running database may delete some meanwhile. */
export function readFiles(folder: string): StoredFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name, parentPath }) => {
      try {
        return [{ name, bytes: readFileSync(path.join(parentPath, name)) }]
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
        throw error
      }
    })
}

function waitForOutput(child: ChildProcess, isReady: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = ''
    const look = (chunk: Buffer): void => {
      printed += chunk.toString()
      if (isReady()) resolve()
    }
    child.stdout?.on('data', look)
    child.stderr?.on('data', look)
    child.once('exit', (code) => {
      reject(new Error(`cofre ended with ${String(code)} before it was ready:\n${printed}`))
    })
  })
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}
