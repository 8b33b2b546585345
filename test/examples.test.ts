import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './packed-packages.js'

const COFRE = path.join(ROOT, 'packages', 'server', 'dist', 'cofre.js')
const EXAMPLES = path.join(ROOT, 'docs', 'examples', 'pay')
const STORE = { id: 'example-store', secret: 'a secret of the example store' }
const PORTS = ['COFRE_API_PORT', 'COFRE_SANDBOX_PORT', 'COFRE_VAULT_PORT', 'COFRE_DEMO_PORT']

interface Language {
  readonly language: string
  readonly command: string
  readonly script: string
  /** What the example wants of the machine; without it, it is told as skipped. */
  readonly tools: readonly string[]
}

const NODE = { command: process.execPath, tools: [] }
const LANGUAGES: readonly Language[] = [
  { language: 'A shell', command: 'sh', script: 'pay.sh', tools: ['sh', 'curl', 'openssl'] },
  { language: 'Node', ...NODE, script: 'pay.mjs' },
  { language: 'Node with @cofre/merchant', ...NODE, script: 'pay-with-merchant.mjs' },
  { language: 'Python', command: 'python3', script: 'pay.py', tools: ['python3'] },
  { language: 'PHP', command: 'php', script: 'pay.php', tools: ['php'] },
]

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

function isThere(command: string): boolean {
  const question =
    command === 'sh' ? ['-c', 'exit 0'] : [command === 'openssl' ? 'version' : '--version']
  return spawnSync(command, question, { stdio: 'ignore' }).status === 0
}

describe('The examples of the docs', { timeout: 60_000 }, () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-examples-'))
  let server: ChildProcess
  let environ: Record<string, string | undefined>

  beforeAll(async () => {
    const ports = await Promise.all(PORTS.map(async (name) => [name, await freePort()] as const))
    const { COFRE_SANDBOX_PORT = '', ...others } = Object.fromEntries(ports)
    const env = {
      ...process.env,
      ...others,
      COFRE_SANDBOX_PORT,
      COFRE_DATA_DIR: dataDir,
      COFRE_DEV_STORE_ID: STORE.id,
      COFRE_DEV_STORE_SECRET: STORE.secret,
    }
    server = spawn(process.execPath, [COFRE, 'dev'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise<void>((resolve, reject) => {
      server.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.includes('Press Ctrl-C')) resolve()
      })
      server.once('exit', (code) => {
        reject(new Error(`cofre ended with ${String(code)}`))
      })
    })
    environ = {
      ...process.env,
      COFRE_API: `http://127.0.0.1:${COFRE_SANDBOX_PORT}`,
      COFRE_STORE_ID: STORE.id,
      COFRE_SECRET: STORE.secret,
    }
  }, 60_000)

  afterAll(async () => {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(dataDir, { recursive: true })
  })

  for (const { language, command, script, tools } of LANGUAGES) {
    const missing = tools.filter((tool) => !isThere(tool))
    const place = missing.length === 0 ? '' : ` (not here: ${missing.join(', ')})`
    it.skipIf(missing.length > 0)(`${language} creates a transaction and reads it${place}`, () => {
      const args = [path.join(EXAMPLES, script)]
      const output = execFileSync(command, args, { env: environ, encoding: 'utf8' })
      expect(output).toMatch(/PENDING[\s\S]*br\.gov\.bcb\.pix[\s\S]*PENDING/)
    })
  }
})
