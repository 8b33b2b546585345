import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const COFRE = fileURLToPath(new URL('../packages/server/dist/cofre.js', import.meta.url))
const READY = 'Press Ctrl-C to stop.'

export const STORE = { id: 'e2e-store', secret: 'a secret key for the stories' }

export interface Ports {
  readonly api: number
  readonly sandbox: number
  readonly vault: number
  readonly panel: number
  readonly demo: number
}

/** The whole product in a process of its own, with fresh data. */
export interface CofreProcess {
  readonly ports: Ports
  readonly dataDir: string
  /** Everything the process has printed. */
  output(): string
  /** Every file in the data directory: databases with their journals, logs, keys. */
  files(): { readonly name: string; readonly bytes: Buffer }[]
  /** Stops with Ctrl-C and resolves to the exit code. */
  stop(): Promise<number | null>
  /** Ends the process without warning, as a crash does. */
  kill(): Promise<void>
  /** Stops and deletes the data. */
  dispose(): Promise<void>
}

/** A free port. Another process may take it first, so a start that fails is tried again by the caller's retry. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

export async function freePorts(): Promise<Ports> {
  const [api = 0, sandbox = 0, vault = 0, panel = 0, demo = 0] = await Promise.all(
    [1, 2, 3, 4, 5].map(freePort),
  )
  return { api, sandbox, vault, panel, demo }
}

/** Starts `cofre dev` and waits until it says where to look. */
export async function startCofre(
  ports: Ports,
  environ: Record<string, string> = {},
): Promise<CofreProcess> {
  const dataDir = environ.COFRE_DATA_DIR ?? mkdtempSync(path.join(tmpdir(), 'cofre-e2e-'))
  const child = spawn(process.execPath, [COFRE, 'dev'], {
    env: {
      ...process.env,
      COFRE_DATA_DIR: dataDir,
      COFRE_API_PORT: String(ports.api),
      COFRE_SANDBOX_PORT: String(ports.sandbox),
      COFRE_VAULT_PORT: String(ports.vault),
      COFRE_PANEL_PORT: String(ports.panel),
      COFRE_DEMO_PORT: String(ports.demo),
      COFRE_DEV_STORE_ID: STORE.id,
      COFRE_DEV_STORE_SECRET: STORE.secret,
      ...environ,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await waitForOutput(child, () => output)
  const stop = (): Promise<number | null> => ended(child, 'SIGINT')
  return {
    ports,
    dataDir,
    output: () => output,
    files: () =>
      readdirSync(dataDir).map((name) => ({ name, bytes: readFileSync(path.join(dataDir, name)) })),
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

function waitForOutput(child: ChildProcess, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (output().includes(READY)) resolve()
    })
    child.once('exit', (code) => {
      reject(new Error(`cofre ended with ${String(code)} before it was ready:\n${output()}`))
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
