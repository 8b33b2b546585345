import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { PaymentMethod } from '@cofre/client'
import {
  type CreatePaymentLinkRequest,
  type CreateTransactionRequest,
  createMerchantClient,
} from '@cofre/merchant'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SDK_VERSION, sdkArchives } from '../.ci/sdks.mjs'
import { ROOT } from './packed-packages.js'
import { readJson, runNode, runPage, runPython, runShell } from './snippet-runs.js'
import { PAGES, isRun, programsOf, snippetsOf } from './snippets.js'

const COFRE = path.join(ROOT, 'packages', 'server', 'dist', 'cofre.js')
const SDKS_FOLDER = path.join(ROOT, 'sdks')
const EXAMPLES = path.join(ROOT, 'docs', 'examples', 'pay')
const STORE = { id: 'example-store', secret: 'a secret of the example store' }
const ORDER = JSON.parse(readFileSync(path.join(EXAMPLES, 'order.json'), 'utf8')) as Json
const CARD = {
  creditCard: '4111111111111111',
  cvv: '123',
  expiration: { month: '12', year: '2030' },
}
const PORTS = ['API', 'SANDBOX', 'VAULT', 'PANEL', 'DEMO', 'METRICS'].map(
  (role) => `COFRE_${role}_PORT`,
)

interface Language {
  readonly language: string
  readonly command: string
  readonly script: string
  /** What the example wants of the machine; without it, it is reported as skipped. */
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

/** An SDK beside the one for Node: how its suite is run, and what shops install. */
interface Sdk {
  readonly language: string
  /** What the suite needs, and what installing needs besides. */
  readonly tools: readonly string[]
  readonly installers: readonly string[]
  readonly suite: readonly [string, ...string[]]
  /** Installs the archives that lie in an empty folder, without a network. */
  readonly install: (folder: string) => readonly [string, ...string[]]
  readonly example: string
}

const SDKS: readonly Sdk[] = [
  {
    language: 'PHP',
    tools: ['php', 'php-curl'],
    installers: ['composer'],
    suite: ['php', 'tests/run.php'],
    install(folder) {
      const name = `cofre-merchant-php-${SDK_VERSION}`
      execFileSync('tar', ['-xzf', `${name}.tar.gz`], { cwd: folder })
      const from = { type: 'path', url: name, options: { symlink: false } }
      const wanted = { 'cofre/merchant': SDK_VERSION }
      const project = { repositories: [from, { 'packagist.org': false }], require: wanted }
      writeFileSync(path.join(folder, 'composer.json'), JSON.stringify(project))
      return ['composer', 'install', '--quiet']
    },
    example: 'php/examples/pay.php',
  },
  {
    language: 'Python',
    tools: ['python3'],
    installers: ['pip'],
    suite: ['python3', '-B', '-m', 'unittest', 'discover', '-s', 'tests'],
    install: () => [
      'python3',
      ...[
        '-m',
        'pip',
        'install',
        '--no-index',
        '--no-deps',
        '--no-compile',
        '--target',
        'installed',
      ],
      `cofre_merchant-${SDK_VERSION}-py3-none-any.whl`,
    ],
    example: 'python/examples/pay.py',
  },
]

type Json = Readonly<Record<string, unknown>>

/** A JSON block of a page, with what the comment before it says of it. */
interface Block {
  readonly says: string
  readonly json: unknown
}

/** The blocks of a page that the tests try: requests, and answers to the request before them. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(path.join(ROOT, 'docs', page), 'utf8')
  const blocks = text.matchAll(/<!-- ((?:GET|POST|201)[^\n]*) -->\n\n```json\n([\s\S]*?)\n```/g)
  return [...blocks].map(([, says = '', json = '']) => ({
    says,
    json: JSON.parse(json) as unknown,
  }))
}

/** What must be the same in an answer as in the page's: its shape, and its statuses. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => shapeOf(element))
  if (typeof value !== 'object' || value === null) return key === 'status' ? value : typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, shapeOf(part, name)]),
  )
}

const CARD_CHARGE = {
  amount: 42.5,
  'payment-method': { type: 'credit-card' },
  'payment-info': { installments: 1, token: 'DIRECT-TOKEN' },
}

/** One for each page, because a card that is saved already is not answered again. */
function payerOf(page: string): Json {
  return { ...(ORDER.payer as Json), email: `${page.replaceAll(/\W/g, '.')}@example.com` }
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

/** How a tool is asked whether it is there, where it is not `<tool> --version`. */
const QUESTIONS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  sh: ['sh', '-c', 'exit 0'],
  openssl: ['openssl', 'version'],
  php: ['php', '-r', 'exit(PHP_VERSION_ID >= 80200 ? 0 : 1);'],
  python3: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 10))'],
  pip: ['python3', '-m', 'pip', '--version'],
  'php-curl': ['php', '-r', "exit(extension_loaded('curl') ? 0 : 1);"],
}

function isThere(tool: string): boolean {
  const [command, ...args] = QUESTIONS[tool] ?? [tool, '--version']
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

/** Runs a command; what it printed is returned, or thrown when it fails. */
function run(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${error.message}\n${stdout}${stderr}`))
    })
  })
}

/** What of the tools this machine lacks, for the title of what is skipped. */
function missingOf(tools: readonly string[]): { isMissing: boolean; place: string } {
  const missing = tools.filter((tool) => !isThere(tool))
  const place = missing.length === 0 ? '' : ` (not here: ${missing.join(', ')})`
  return { isMissing: missing.length > 0, place }
}

describe('The examples of the docs', { timeout: 60_000 }, () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-examples-'))
  let server: ChildProcess
  let [api, vault] = ['', '']
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
    api = `http://127.0.0.1:${others.COFRE_API_PORT ?? ''}`
    vault = `http://127.0.0.1:${others.COFRE_VAULT_PORT ?? ''}`
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
    const { isMissing, place } = missingOf(tools)
    it.skipIf(isMissing)(`${language} creates a transaction and reads it${place}`, () => {
      const args = [path.join(EXAMPLES, script)]
      const output = execFileSync(command, args, { env: environ, encoding: 'utf8' })
      expect(output).toMatch(/PENDING[\s\S]*br\.gov\.bcb\.pix[\s\S]*(PENDING|COMPLETE)/)
    })
  }

  describe.concurrent.each(SDKS)('The SDK for $language', (sdk) => {
    const { tools, installers, suite, install, example } = sdk
    const { isMissing, place } = missingOf(tools)
    const installing = missingOf([...tools, ...installers])
    const folder = path.join(SDKS_FOLDER, path.dirname(path.dirname(example)))

    it.skipIf(isMissing)(`keeps its promises at a sandbox${place}`, async () => {
      await run(suite, folder, { ...environ, PYTHONPATH: 'src' })
    })

    it.skipIf(installing.isMissing)(
      `pays from an empty folder, installed from its archive${installing.place}`,
      async () => {
        const shop = mkdtempSync(path.join(tmpdir(), 'cofre-shop-'))
        try {
          for (const [name, bytes] of Object.entries(sdkArchives()))
            writeFileSync(path.join(shop, name), bytes)
          await run(install(shop), shop, { ...environ, COMPOSER_DISABLE_NETWORK: '1' })
          const pay: [string, string] = [suite[0], path.join(SDKS_FOLDER, example)]
          const printed = await run(pay, shop, { ...environ, PYTHONPATH: 'installed' })
          expect(printed).toMatch(/^PENDING .*br\.gov\.bcb\.pix.*\n(PENDING|COMPLETE)\n$/)
        } finally {
          rmSync(shop, { recursive: true })
        }
      },
    )
  })

  /** Sends what a page shows, in its order, and compares the answers with those that it shows. */
  async function tryPage(page: string): Promise<number> {
    // A bank of production may issue its boleto after the answer.
    const baseUrl = page.endsWith('payments.md') ? (environ.COFRE_API ?? '') : api
    const cofre = createMerchantClient({ baseUrl, storeId: STORE.id, secret: STORE.secret })
    const card = new PaymentMethod({ baseUrl: vault })
    let answer: Json = {}
    let [code, savedCode] = ['', '']
    let sent = 0
    const create = async (fragment: Json): Promise<void> => {
      const order = {
        ...ORDER,
        ...fragment,
        payer: { ...payerOf(page), ...(fragment.payer as Json) },
      }
      const transaction = { ...(ORDER.transaction as Json), ...(fragment.transaction as Json) }
      const reference = `${path.basename(page, '.md')}-${Date.now()}-${sent}`
      const body = { ...order, transaction: { ...transaction, reference } }
      const text = JSON.stringify(body)
        .replace('DIRECT-TOKEN', await card.createDirectToken(CARD))
        .replace('SAVED-CODE', savedCode)
      const created = await cofre.createTransaction(JSON.parse(text) as CreateTransactionRequest)
      answer = { ...created }
      code = created.transaction.code
      savedCode = created['payment-methods']?.[0]?.code ?? savedCode
    }
    const steps: Readonly<Record<string, (json: unknown) => unknown>> = {
      'POST /transactions': (json) => create(json as Json),
      'POST /refunds': async (json) => {
        const text = JSON.stringify(json).replace('CODE', code)
        const refund = JSON.parse(text) as Parameters<typeof cofre.createRefund>[0]
        answer = { 'refund-id': await cofre.createRefund(refund) }
      },
      'GET /transactions/CODE': async (json) => {
        await create({ charge: [CARD_CHARGE] })
        const shown = json as { 'transaction-result': { transactions: unknown[] } }
        const [expected] = shown['transaction-result'].transactions
        expect(shapeOf(await cofre.findTransaction(code))).toEqual(shapeOf(expected))
      },
      'GET /card?bin=411111&country=BR&amount=20&currency=BRL': async (json) => {
        expect(await cofre.cardLookup({ bin: '411111', amount: 20 })).toEqual(json)
      },
      'POST /payment-links': async (json) => {
        const reference = `${path.basename(page, '.md')}-link-${Date.now()}`
        const order = { ...(json as CreatePaymentLinkRequest), reference }
        const made = await cofre.createPaymentLink(order)
        code = made.code
        answer = { 'payment-link': made }
      },
      'GET /payment-links/CODE': async (json) => {
        const shown = (json as { 'payment-link': object })['payment-link']
        expect(Object.keys(await cofre.findPaymentLink(code))).toEqual(Object.keys(shown))
      },
      'POST /payment-links/CODE/revocations': async () => {
        expect(await cofre.revokePaymentLink(code)).toMatchObject({ status: 'REVOKED' })
      },
      '201': (json) => {
        expect(shapeOf(answer)).toEqual(shapeOf(json))
      },
    }
    for (const { says, json } of blocksOf(page)) {
      const step = steps[says]
      if (step === undefined) throw new Error(`${page}: nobody knows how to try "${says}"`)
      await step(json)
      sent++
    }
    return sent
  }

  it.each([
    ['payments.md', 12],
    ['pt-BR/payments.md', 12],
    ['payment-links.md', 4],
    ['pt-BR/payment-links.md', 4],
    ['search-and-refunds.md', 3],
    ['pt-BR/search-and-refunds.md', 3],
  ])('what %s shows is answered as it says', async (page, blocks) => {
    expect(await tryPage(page)).toBe(blocks)
  })

  // Pages in Portuguese have the same code.
  const english = PAGES.filter((page) => !/^(?:docs\/pt-BR|sdks)\//.test(page))
  const place = () => ({ vault, dataDir, environ: { ...environ, COFRE_VAULT: vault } })
  const blocks = english.flatMap((page) => snippetsOf(page).filter(isRun))

  it.each(blocks.filter(({ language }) => language === 'json'))(
    'the JSON of $page, line $line, is what it says',
    (snippet) => {
      expect(() => {
        readJson(snippet)
      }).not.toThrow()
    },
  )

  it.each(blocks.filter(({ language }) => language === 'sh'))(
    'the commands of $page, line $line, do what they say',
    async (snippet) => {
      await runShell(snippet, place())
    },
  )

  it.each(blocks.filter(({ language, code }) => language === 'html' && code.includes('<script>')))(
    'the page of $page, line $line, makes a token',
    async (snippet) => {
      expect(await runPage(snippet, place())).toMatch(/^ey/)
    },
  )

  it.concurrent.each(
    english.flatMap((page) => programsOf(page, 'js').map((program) => ({ page, program }))),
  )('the program of $page runs', async ({ page, program }) => {
    await runNode(page, program, place())
  })

  it.skipIf(missingOf(['sh', 'curl', 'openssl']).isMissing)(
    'an order as a plugin of another vendor sends it is charged by lenient rules',
    async () => {
      const folder = mkdtempSync(path.join(dataDir, 'plugin-'))
      const port = await freePort()
      const env = {
        ...process.env,
        COFRE_DATA_DIR: folder,
        COFRE_SANDBOX_PORT: port,
        COFRE_VAULT_PORT: await freePort(),
      }
      const create = ['store', 'create', '--sandbox', '--rules', 'lenient', '--json']
      const { id, secret } = JSON.parse(
        await run([process.execPath, COFRE, ...create], ROOT, env),
      ) as { id: string; secret: string }
      const gateway = spawn(process.execPath, [COFRE, 'serve', '--roles', 'sandbox,vault'], {
        env: { ...env, COFRE_MEDIA_VENDOR: 'acme' },
        stdio: 'ignore',
      })
      try {
        const origin = `http://127.0.0.1:${port}`
        await expect
          .poll(() =>
            fetch(origin).then(
              () => true,
              () => false,
            ),
          )
          .toBe(true)
        const printed = await run(['sh', 'docs/examples/plugin/order.sh'], ROOT, {
          ...process.env,
          COFRE_API: origin,
          COFRE_STORE_ID: id,
          COFRE_SECRET: secret,
          MEDIA_VENDOR: 'acme',
        })
        expect(printed).toContain('"amount":90.00,"status":"PENDING"')
      } finally {
        gateway.kill()
        if (gateway.exitCode === null) await once(gateway, 'exit')
      }
    },
  )

  it.skipIf(!isThere('python3'))('the Python of the pages runs', async () => {
    for (const page of english)
      for (const program of programsOf(page, 'python')) await runPython(program)
  })
})
