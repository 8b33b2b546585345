import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { PaymentMethod } from '@cofre/client'
import {
  type CapturePaymentRequest,
  type ChangeInterestRequest,
  type CreatePaymentLinkRequest,
  type CreateTransactionRequest,
  type PaymentSearchRequest,
  createMerchantClient,
  createSandboxClient,
} from '@cofre/merchant'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SDK_VERSION, sdkArchives } from '../.ci/sdks.mjs'
import { readConfig } from '../packages/server/src/config/config.js'
import { freePorts } from '../packages/server/src/http/free-port.fixture.js'
import { startCofre } from '../packages/server/src/process/start.js'
import { ROOT } from './packed-packages.js'
import { readJson, runCofre, runNode, runPage, runPython, runShell } from './snippet-runs.js'
import { PAGES, isRun, programsOf, snippetsOf } from './snippets.js'
import { type Need, needs } from './needs.js'

const COFRE = path.join(ROOT, 'packages', 'server', 'dist', 'cofre.js')
const SDKS_FOLDER = path.join(ROOT, 'sdks')
const EXAMPLES = path.join(ROOT, 'docs', 'examples', 'pay')
const STORE = { id: 'example-store', secret: 'a secret of the example store' }
/** Another vendor, whose media types a server can use instead of its own. */
const MEDIA_VENDOR = 'acme'
const ORDER = JSON.parse(readFileSync(path.join(EXAMPLES, 'order.json'), 'utf8')) as Json
/** How long the index of payments may take to follow. */
const INDEXED = { timeout: 30_000 }
const CARD = {
  creditCard: '4111111111111111',
  cvv: '123',
  expiration: { month: '12', year: '2030' },
}

interface Language {
  readonly language: string
  readonly command: string
  readonly script: string
  readonly tools: readonly Need[]
}

const NODE = { command: process.execPath, tools: [] }
const LANGUAGES: readonly Language[] = [
  { language: 'A shell', command: 'sh', script: 'pay.sh', tools: ['sh', 'curl', 'OpenSSL'] },
  { language: 'Node', ...NODE, script: 'pay.mjs' },
  { language: 'Node with @cofre/merchant', ...NODE, script: 'pay-with-merchant.mjs' },
  { language: 'Python', command: 'python3', script: 'pay.py', tools: ['Python 3.10'] },
  { language: 'PHP', command: 'php', script: 'pay.php', tools: ['PHP 8.2'] },
]

/** An SDK besides the one for Node, with its suite and its installation. */
interface Sdk {
  readonly language: string
  /** Requirements of the suite, and those added by the installation. */
  readonly tools: readonly Need[]
  readonly installers: readonly Need[]
  readonly suite: readonly [string, ...string[]]
  /** Installs the archives in an empty folder, without a network. */
  readonly install: (folder: string) => readonly [string, ...string[]]
  readonly example: string
}

const SDKS: readonly Sdk[] = [
  {
    language: 'PHP',
    tools: ['PHP 8.2', "PHP's curl"],
    installers: ['Composer'],
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
    tools: ['Python 3.10'],
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

/** A JSON block of a page, with the text of the comment before it. */
interface Block {
  readonly says: string
  readonly json: unknown
}

/** The blocks of a page that the tests try: requests, and responses to the previous request. */
function blocksOf(page: string): Block[] {
  const text = readFileSync(path.join(ROOT, 'docs', page), 'utf8')
  const blocks = text.matchAll(/<!-- ((?:GET|POST|201)[^\n]*) -->\n\n```json\n([\s\S]*?)\n```/g)
  return [...blocks].map(([, says = '', json = '']) => ({
    says,
    json: JSON.parse(json) as unknown,
  }))
}

/** The parts of a response that must equal the page's: its shape, and its statuses. */
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

/** One payer per page, because a response omits a card that is saved already. */
function payerOf(page: string): Json {
  return { ...(ORDER.payer as Json), email: `${page.replaceAll(/\W/g, '.')}@example.com` }
}

/** Runs a command. Returns its output; throws the output if the command fails. */
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

describe('The examples of the docs', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'cofre-examples-'))
  let server: ChildProcess
  let [api, vault] = ['', '']
  let environ: Record<string, string | undefined>

  beforeAll(async () => {
    const ports = await freePorts(
      ...(['API', 'SANDBOX', 'VAULT', 'PANEL', 'DEMO', 'DEMO_PRODUCTION', 'METRICS'] as const),
      ...(['NOTICES', 'SIMULATOR', 'ADYEN', 'CIELO', 'INTER'] as const),
    )
    const env = {
      ...process.env,
      ...ports,
      COFRE_DATA_DIR: dataDir,
      COFRE_DEV_STORE_ID: STORE.id,
      COFRE_DEV_STORE_SECRET: STORE.secret,
    }
    server = spawn(process.execPath, [COFRE, 'dev', '--no-example'], {
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
    api = `http://127.0.0.1:${ports.COFRE_API_PORT}`
    vault = `http://127.0.0.1:${ports.COFRE_VAULT_PORT}`
    environ = {
      ...process.env,
      COFRE_API: `http://127.0.0.1:${ports.COFRE_SANDBOX_PORT}`,
      COFRE_STORE_ID: STORE.id,
      COFRE_SECRET: STORE.secret,
    }
  })

  afterAll(async () => {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
    rmSync(dataDir, { recursive: true })
  })

  for (const { language, command, script, tools } of LANGUAGES) {
    it(`${language} creates a transaction and reads it`, needs(...tools), () => {
      const args = [path.join(EXAMPLES, script)]
      const output = execFileSync(command, args, { env: environ, encoding: 'utf8' })
      expect(output).toMatch(/PENDING[\s\S]*br\.gov\.bcb\.pix[\s\S]*(PENDING|COMPLETE)/)
    })
  }

  for (const { language, command, script, tools } of LANGUAGES) {
    it(`${language} reports what is wrong, and no more`, needs(...tools), () => {
      const env = { ...environ, COFRE_SECRET: 'another secret' }
      const args = [path.join(EXAMPLES, script)]
      const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' })
      expect(status).not.toBe(0)
      expect(stdout + stderr).toMatch(/10003[\s\S]* signature /)
      expect(stderr).not.toMatch(/^ +at |Traceback|Stack trace/m)
    })
  }

  describe.concurrent.each(SDKS)('The SDK for $language', (sdk) => {
    const { tools, installers, suite, install, example } = sdk
    const folder = path.join(SDKS_FOLDER, path.dirname(path.dirname(example)))

    it('keeps its promises at a sandbox', needs(...tools), async () => {
      const COFRE_DIRECT_TOKEN = await new PaymentMethod({ baseUrl: vault }).createDirectToken(CARD)
      await run(suite, folder, { ...environ, COFRE_DIRECT_TOKEN, PYTHONPATH: 'src' })
    })

    it(
      'pays from an empty folder, installed from its archive',
      needs(...tools, ...installers),
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

  it('@cofre/merchant reads, lists, searches and cancels payments at a sandbox', async () => {
    const options = { baseUrl: environ.COFRE_API ?? '', storeId: STORE.id, secret: STORE.secret }
    const cofre = createMerchantClient(options)
    const sandbox = createSandboxClient(options)
    const email = `node.${Date.now()}@example.com`
    const from = new Date(Date.now() - 60_000)
    const codes: string[] = []
    for (const name of ['paid', 'waiting', 'expired']) {
      const transaction = {
        ...(ORDER.transaction as Json),
        reference: `node-${name}-${Date.now()}`,
      }
      const order = { ...ORDER, transaction, payer: { ...(ORDER.payer as Json), email } }
      const created = await cofre.createTransaction(order as unknown as CreateTransactionRequest)
      codes.unshift(created.transaction.code)
    }
    const [expired = '', waiting = '', paid = ''] = codes
    await sandbox.setStatus(paid, 'COMPLETE')
    await sandbox.setStatus(expired, 'EXPIRED')
    const refund = { 'transaction-id': paid, amount: 10.1, reference: 'return-slow' }
    const refundId = await cofre.createRefund({ ...refund, 'notify-url': 'http://127.0.0.1:1/' })

    const found = await cofre.findPayment(paid)
    expect(found).toMatchObject({ status: 'COMPLETE', method: 'pix', payer: { email } })
    expect(found.refunds.map((one) => one['refund-id'])).toEqual([refundId])
    await expect(cofre.findPayment('1')).rejects.toMatchObject({ status: 404, code: 20614 })

    const listed: string[] = []
    for await (const { code } of cofre.allPayments({ 'created-from': from, limit: 1 }))
      if (codes.includes(code)) listed.push(code)
    expect(listed).toEqual(codes)
    const refunds: object[] = []
    for await (const one of cofre.allRefunds({ 'transaction-code': paid, limit: 1 }))
      refunds.push(one)
    expect(refunds).toMatchObject([{ 'refund-id': refundId, amount: 10.1, status: 'PROCESSING' }])

    // The index follows payments.
    await expect
      .poll(async () => {
        const search = { 'payer-email': email, 'created-from': from, limit: 1 }
        const ofPayer: string[] = []
        for await (const { code } of cofre.allPaymentsOfPayer(search)) ofPayer.push(code)
        return ofPayer
      }, INDEXED)
      .toEqual(codes)

    const cancelled = await cofre.cancelPayment(waiting)
    expect(cancelled).toMatchObject({ cancellation: 'cancelled', payment: { status: 'CANCELLED' } })
    expect(await cofre.cancelPayment(waiting)).toEqual(cancelled)
    expect(await cofre.cancelPayment(paid)).toMatchObject({ cancellation: 'paid-meanwhile' })
    await expect(cofre.cancelPayment(expired)).rejects.toMatchObject({ status: 409, code: 90601 })
  })

  /** Sends a page's requests, in order, and compares the responses with the page's. */
  async function tryPage(page: string): Promise<number> {
    // A bank in production may issue its boleto after the response.
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
      'POST /payments/CODE/capture': async (json) => {
        const captured = await cofre.capturePayment(code, json as CapturePaymentRequest)
        const { amount } = json as CapturePaymentRequest
        expect(captured).toMatchObject({
          capture: 'captured',
          payment: { 'captured-amount': amount },
        })
      },
      'POST /payments/searches': async (json) => {
        expect(await cofre.searchPayments(json as PaymentSearchRequest)).toHaveProperty('payments')
      },
      'POST /interest/changes': async (json) => {
        const changed = await cofre.changeInterest(json as ChangeInterestRequest)
        expect(changed.changes.at(-1)).toMatchObject(json as object)
        // The next page shows the usual prices.
        await cofre.changeInterest({ brand: 'visa', usual: true })
      },
      '201': (json) => {
        expect(shapeOf(answer)).toEqual(shapeOf(json))
      },
    }
    for (const { says, json } of blocksOf(page)) {
      const step = steps[says]
      if (step === undefined) throw new Error(`${page}: no step for "${says}"`)
      await step(json)
      sent++
    }
    return sent
  }

  it.each([
    ['payments.md', 15],
    ['pt-BR/payments.md', 15],
    ['payment-links.md', 4],
    ['pt-BR/payment-links.md', 4],
    ['search-and-refunds.md', 3],
    ['pt-BR/search-and-refunds.md', 3],
    ['back-office-api.md', 2],
    ['pt-BR/back-office-api.md', 2],
  ])('%s shows the real responses', async (page, blocks) => {
    expect(await tryPage(page)).toBe(blocks)
  })

  // Pages in Portuguese have the same code.
  const english = PAGES.filter((page) => !/^(?:docs\/pt-BR|sdks)\//.test(page))
  const place = () => ({ vault, dataDir, environ: { ...environ, COFRE_VAULT: vault } })
  const blocks = english.flatMap((page) => snippetsOf(page).filter(isRun))

  it.each(blocks.filter(({ language }) => language === 'json'))(
    'the JSON of $page, line $line, is valid',
    (snippet) => {
      expect(() => {
        readJson(snippet)
      }).not.toThrow()
    },
  )

  it.each(blocks.filter(({ language }) => language === 'sh'))(
    'the commands of $page, line $line, run',
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

  it(
    'an order as a plugin of another vendor sends it is charged by lenient rules',
    needs('sh', 'curl', 'OpenSSL'),
    async () => {
      const folder = mkdtempSync(path.join(dataDir, 'plugin-'))
      const ports = await freePorts('SANDBOX', 'VAULT')
      const gateway = { ...ports, COFRE_DATA_DIR: folder, COFRE_MEDIA_VENDOR: MEDIA_VENDOR }
      const create = ['store', 'create', '--sandbox', '--rules', 'lenient', '--json']
      const { id, secret } = JSON.parse(
        await runCofre(create, { vault, dataDir: folder, environ: ports }),
      ) as { id: string; secret: string }
      const silent = pino({ enabled: false })
      const running = await startCofre(readConfig(gateway, 'serve'), ['sandbox', 'vault'], silent)
      try {
        const printed = await run(['sh', 'docs/examples/plugin/order.sh'], ROOT, {
          ...process.env,
          COFRE_API: `http://127.0.0.1:${ports.COFRE_SANDBOX_PORT}`,
          COFRE_STORE_ID: id,
          COFRE_SECRET: secret,
          MEDIA_VENDOR,
        })
        expect(printed).toContain('"amount":90.00,"status":"PENDING"')
      } finally {
        await running.close()
      }
    },
  )

  it('the Python of the pages runs', needs('Python 3.10'), async () => {
    for (const page of english)
      for (const program of programsOf(page, 'python')) await runPython(program)
  })
})
