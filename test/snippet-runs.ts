// Runs the pages' code blocks at a sandbox, by their language.
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import vm from 'node:vm'
import type { AccountProvider } from '@cofre/provider-kit/account'
import { loadAcquirers, loadBanks } from '@cofre/providers'
import { declineBodySchema, errorBodySchema } from '@cofre/contracts'
import { createMerchantClient } from '@cofre/merchant'
import { readConfig } from '../packages/server/src/config/config.js'
import { runProgram } from '../packages/server/src/main.js'
import { ROOT } from './packed-packages.js'
import { type Snippet, cofreCommand, commandsOf } from './snippets.js'

const run = promisify(execFile)
const GIVEN = path.join(ROOT, 'test', 'given.mjs')

/** A running `cofre dev`, and the environment that its banner prints for developers. */
export interface Place {
  readonly vault: string
  readonly dataDir: string
  readonly environ: Readonly<Record<string, string | undefined>>
}

/** An order that waits for its payment. */
async function createOrder({ environ }: Place): Promise<string> {
  const script = path.join(ROOT, 'docs', 'examples', 'pay', 'pay.mjs')
  const { stdout } = await run(process.execPath, [script], { env: environ })
  return stdout.split(' ')[1] ?? ''
}

/** A refund that the sandbox leaves in process, by its reference. */
async function createRefund(place: Place): Promise<string> {
  const {
    COFRE_API: baseUrl = '',
    COFRE_STORE_ID: storeId = '',
    COFRE_SECRET: secret = '',
  } = place.environ
  const code = await createOrder(place)
  await runCofre(['sandbox', 'pay', code], place)
  return await createMerchantClient({ baseUrl, storeId, secret }).createRefund({
    'transaction-id': code,
    'notify-url': 'https://shop.example/refunds',
    reference: 'slow',
  })
}

/** A page's command with its placeholder names and numbers replaced. */
async function withStandIns(command: string, place: Place, folder: string): Promise<string> {
  const codes = /\b(?:59557135709791|12345678901234)\b/g
  let filled = command
    .replaceAll(/\bloja-um\b/g, place.environ.COFRE_STORE_ID ?? '')
    .replace('/backup/', `${folder}/`)
  if (codes.test(filled)) filled = filled.replaceAll(codes, await createOrder(place))
  if (filled.includes('12345678905678'))
    filled = filled.replace('12345678905678', await createRefund(place))
  if (/-1a2b3c4d|-5e6f7a8b/.test(filled)) {
    const accounts = await runCofre(['account', 'list', '--json'], place)
    for (const { id, provider } of JSON.parse(accounts) as { id: string; provider: string }[])
      filled = filled.replaceAll(new RegExp(`${provider}-[0-9a-f]{8}`, 'g'), id)
  }
  return filled
}

/**
 * Output of a `cofre` command. Stops a command that doesn't end by itself after its first output.
 */
export async function runCofre(
  args: readonly string[],
  { dataDir, environ }: Place,
): Promise<string> {
  let printed = ''
  const stop = new AbortController()
  await runProgram(args, {
    clock: Date,
    config: (mode) => readConfig({ ...environ, COFRE_DATA_DIR: dataDir }, mode),
    print(text) {
      printed += text
      stop.abort()
    },
    warn: () => undefined,
    fail() {
      throw new Error(`cofre ${args.join(' ')} failed: ${printed}`)
    },
    stopping: stop.signal,
  })
  return printed
}

export async function runShell({ code }: Snippet, place: Place): Promise<void> {
  const folder = mkdtempSync(path.join(place.dataDir, 'shell-'))
  for (const command of commandsOf(code)) {
    const filled = await withStandIns(command, place, folder)
    const cofre = cofreCommand(filled)
    if (cofre !== undefined) await runCofre(cofre.args, place)
    else {
      const cwd = filled.includes('docs/') ? ROOT : folder
      await run('sh', ['-euc', filled], { cwd, env: place.environ })
    }
  }
}

/**
 * The step that a page's program leaves to its reader: a call of its function, or a use of its
 * result.
 */
const NOTIFIED = `
  const { createHmac } = await import('node:crypto')
  const [id, time] = ['1-1', String(Math.floor(Date.now() / 1000))]
  // One of a transaction that this environment does not have must not end the server.
  for (const code of [transaction.code, '12345678901234']) {
    const body = 'transaction-code=' + code + '&notification-type=transaction'
    const mac = createHmac('sha256', secret).update([id, time, body].join('.')).digest('base64')
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': 'v1,' + mac }
    if ((await receive(headers, body)) !== 200) throw new Error('not acknowledged')
    if ((await receive({ ...headers, 'webhook-id': '2-1' }, body)) !== 400) throw new Error('forged')
  }`
const THEN: Readonly<Record<string, string>> = {
  'docs/notifications.md': NOTIFIED,
  'packages/merchant/README.md': NOTIFIED,
}

/**
 * Runs a page's program beside the packages, with the variables that the page assumes. Exits after
 * its last line: an open session of the browser library would keep the process alive.
 */
export async function runNode(page: string, program: string, place: Place): Promise<void> {
  const { vault, environ } = place
  const here = program
    .replaceAll(/http:..127\.0\.0\.1:8081|https:..api\.shop\.example/g, environ.COFRE_API ?? '')
    .replaceAll('https://vault.shop.example', vault)
  const code = `import ${JSON.stringify(GIVEN)}\nprocess.argv[2] ??= globalThis.directToken\n${here}\n${THEN[page] ?? ''}\nprocess.exit()`
  await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT, env: environ })
}

export async function runPython(program: string): Promise<void> {
  const given = [
    'import base64, hashlib, hmac',
    'SECRET, body = "a secret", b"transaction-code=1"',
    'sign = lambda text: base64.b64encode(hmac.new(SECRET.encode(), text, hashlib.sha256).digest()).decode()',
    'headers = {"webhook-id": "1-1", "webhook-timestamp": "1", "webhook-signature": "v1,x v1," + sign(b"1-1.1." + body)}',
  ]
  await run('python3', ['-c', [...given, program, 'assert genuine'].join('\n')])
}

/** Runs a page's scripts as a browser with the library would; resolves to the token. */
export async function runPage({ code }: Snippet, { vault }: Place): Promise<string> {
  const library = await (await fetch(`${vault}/payment.cofre.min.js`)).text()
  const HTMLScriptElement = class {
    readonly src = `${vault}/payment.cofre.min.js`
  }
  return await new Promise((resolve, reject) => {
    const document = { currentScript: new HTMLScriptElement(), hidden: false }
    const page = vm.createContext({
      ...{ document, HTMLScriptElement, fetch, crypto, TextEncoder, TextDecoder, URL, btoa, atob },
      ...{ setTimeout, clearTimeout, queueMicrotask, AbortController, console },
      showProblem: reject,
      send: resolve,
    })
    vm.runInContext('var self = globalThis, window = globalThis', page)
    vm.runInContext(library, page)
    for (const [, script = ''] of code.matchAll(/<script>([\s\S]*?)<\/script>/g))
      vm.runInContext(script.replace(/\/\/ send directToken.*/, 'send(directToken)'), page)
  })
}

const [ACQUIRERS, BANKS] = await Promise.all([loadAcquirers(), loadBanks()])

/** Readers of the pages' JSON; the JSON of other pages is sent by their tests. */
const READERS: Readonly<Record<string, (json: Record<string, unknown>) => unknown>> = {
  'docs/errors.md': (json) => errorBodySchema.parse(json),
  'docs/payments.md': ({ decline }) => declineBodySchema.parse(decline),
  'docs/notifications.md': (json) => {
    // Only the fields that `verifyNotification` returns: another test checks its signature.
    if (json['notification-type'] !== 'refund' || !Number.isInteger(json['refund-id']))
      throw new Error('not a notification of a refund')
  },
  'docs/cards-with-your-acquirer.md': (json) => {
    refuseUnasked(json, ACQUIRERS, 'merchantKey' in json ? 'cielo' : 'adyen')
  },
  'docs/pix-with-your-bank.md': (json) => {
    refuseUnasked(json, BANKS, 'pix-api', 'efi')
  },
}

/** Throws if a file of answers contains a key that the account's provider does not ask for. */
function refuseUnasked(
  json: object,
  providers: readonly AccountProvider[],
  name: string,
  profile = name,
): void {
  const asked = providers.find((provider) => provider.name === name)?.questions(profile) ?? []
  const unasked = Object.keys(json).filter((key) => !asked.some((one) => one.name === key))
  if (unasked.length > 0) throw new Error(`no provider asks for ${unasked.join(', ')}`)
}

export function readJson({ page, code }: Snippet): void {
  const json = JSON.parse(code) as Record<string, unknown>
  READERS[page]?.(json)
}
