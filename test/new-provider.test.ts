// docs/new-provider.md, step by step, in a copy of the repository.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { createMerchantClient } from '@cofre/merchant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePorts } from '../packages/server/src/http/free-port.fixture.js'
import { cardPurchase } from '../packages/server/src/process/purchase.fixture.js'
import { ROOT } from './packed-packages.js'

const COPIED = [
  '.ci',
  'demo',
  'e2e/package.json',
  'package.json',
  'package-lock.json',
  'packages',
  'rollup.config.mjs',
  'docs',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'vitest.config.ts',
]
const DINERS = { brand: 'diners', number: '30569309025904' }
const STORE = { id: 'test-store', secret: 'a secret of the test store' }

/** A page's lines that begin with a command, without their comments. */
const commands = [
  ...readFileSync(path.join(ROOT, 'docs', 'new-provider.md'), 'utf8').matchAll(
    /^(?:npm|npx) .*$/gm,
  ),
].map(([line]) => line)

const modulesOf = (copy: string) => path.join(copy, 'node_modules')

/** Links the third-party packages, as `npm ci` installs them. */
function linkModules(copy: string): void {
  mkdirSync(path.join(modulesOf(copy), '@cofre'), { recursive: true })
  for (const name of readdirSync(modulesOf(ROOT)))
    if (name !== '@cofre')
      symlinkSync(path.join(modulesOf(ROOT), name), path.join(modulesOf(copy), name), 'junction')
}

/** Does the work of `npm install` without a registry: our packages link to the copy. */
function linkPackages(copy: string): void {
  const { workspaces } = JSON.parse(readFileSync(path.join(copy, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  for (const workspace of workspaces) {
    const manifest = readFileSync(path.join(copy, workspace, 'package.json'), 'utf8')
    const { name } = JSON.parse(manifest) as { name: string }
    symlinkSync(path.join(copy, workspace), path.join(modulesOf(copy), name), 'junction')
  }
}

describe('a new acquirer', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'cofre-new-'))
  const run = (file: string, ...args: string[]) =>
    execFileSync(process.execPath, [path.join(copy, file), ...args], {
      cwd: copy,
      encoding: 'utf8',
      stdio: 'pipe',
    })
  let product: ChildProcess | undefined
  beforeAll(() => {
    for (const name of COPIED)
      cpSync(path.join(ROOT, name), path.join(copy, name), {
        recursive: true,
        preserveTimestamps: true,
        filter: (file) => path.basename(file) !== 'node_modules',
      })
    linkModules(copy)
  })
  afterAll(async () => {
    if (product !== undefined) {
      const ended = new Promise((resolve) => product?.once('close', resolve))
      product.kill('SIGKILL')
      await ended
    }
    rmSync(copy, { recursive: true })
  })

  it.each([
    ['No Name', 'is no name'],
    ['cielo', 'is there already'],
    ['vault', 'packages/vault has the name'],
    ['simulator', 'cannot be'],
    ['dist', 'cannot be'],
    ['', 'usage'],
  ])('is not made as %j', (name, reason) => {
    expect(() => run('.ci/new.mjs', 'provider', name)).toThrow(reason)
  })

  it('is made whole or not at all', () => {
    const registry = path.join(copy, 'packages', 'providers', 'index', 'src', 'index.ts')
    const before = readFileSync(registry, 'utf8')
    const build = path.join(copy, 'tsconfig.build.json')
    const json = readFileSync(build, 'utf8')
    writeFileSync(build, `// commented\n${json}`)
    const made = () => run('.ci/new.mjs', 'provider', 'dummypay')
    expect(made).toThrow('tsconfig.build.json is not as this program expects it')
    expect(readFileSync(registry, 'utf8')).toBe(before)
    expect(readdirSync(path.join(copy, 'packages', 'providers'))).not.toContain('dummypay')
    writeFileSync(build, json)
  })

  it('is made by a command', () => {
    expect(commands[0]).toBe('npm run new provider dummypay')
    expect(run('.ci/new.mjs', 'provider', 'dummypay')).toContain('npx vitest run')
    const folder = path.join(copy, 'packages', 'providers', 'dummypay')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    for (const file of files.filter((one) => one.isFile())) {
      const text = readFileSync(path.join(file.parentPath, file.name), 'utf8')
      expect(`${file.name} ${text}`).not.toMatch(/template/i)
    }
    linkPackages(copy)
    expect(commands).toContain('npm run build')
    expect(run('.ci/build.mjs')).toContain('transpiled')
  })

  it('passes the suite that every acquirer passes', () => {
    expect(commands).toContain('npx vitest run packages/providers/dummypay')
    const vitest = 'node_modules/vitest/vitest.mjs'
    // Removes the variables that Vitest sets for its own processes.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'))
    const output = execFileSync(
      process.execPath,
      [path.join(copy, vitest), 'run', 'packages/providers/dummypay'],
      { cwd: copy, encoding: 'utf8', stdio: 'pipe', env: Object.fromEntries(own) },
    )
    expect(output).toContain('dummypay-conformance.test.ts')
  })

  it('charges Diners’ cards of the test store once Cofre has started', async () => {
    expect(commands).toContain('npm start')
    const ports = await freePorts(
      ...['API', 'SANDBOX', 'VAULT', 'PANEL', 'DEMO', 'DEMO_PRODUCTION', 'METRICS', 'NOTICES'],
      ...['VAULT_SERVICE', 'SIMULATOR', 'ADYEN', 'CIELO', 'INTER'],
    )
    const dataDir = path.join(copy, 'data')
    product = spawn(
      process.execPath,
      [path.join(copy, 'packages/server/dist/cofre.js'), 'dev', '--no-example'],
      {
        env: {
          PATH: process.env.PATH,
          ...ports,
          COFRE_DATA_DIR: dataDir,
          COFRE_DEV_STORE_ID: STORE.id,
          COFRE_DEV_STORE_SECRET: STORE.secret,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    for await (const line of createInterface({ input: product.stdout! }))
      if (line.includes('Press Ctrl-C')) break
    product.stdout?.resume()
    const merchant = createMerchantClient({
      baseUrl: `http://127.0.0.1:${ports.COFRE_API_PORT}`,
      storeId: STORE.id,
      secret: STORE.secret,
      retryBudgetMs: 0,
    })
    const [paid, visa] = [
      await merchant.createTransaction(cardPurchase('order-1', DINERS)),
      await merchant.createTransaction(cardPurchase('order-2')),
    ]
    expect([paid, visa].map(({ transaction }) => transaction.status)).toEqual(['PAID', 'PAID'])
    const books = path.join(dataDir, 'simulators', 'dummypay', 'books.jsonl')
    const [, ...lines] = readFileSync(books, 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ status: 'approved', amountMinor: 10_000 }),
    ])
  })
})
