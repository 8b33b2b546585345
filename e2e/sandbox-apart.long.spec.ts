// Long: one process hangs and is killed, and the others keep working.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { expect, test } from '@playwright/test'
import { createMerchantClient } from '@cofre/merchant'
import {
  COFRE,
  type CofreProcess,
  type Ports,
  freePort,
  freePorts,
  startRoles,
  startVaultWithAcquirers,
} from './cofre-process.js'
import { cardOrder } from './orders.js'
import { type PostgresProcess, startPostgresProcess } from './postgres-process.js'
import { type Receiver, startReceiver } from './receiver.js'

const STORE = 'loja'

/** The store's cards go to Adyen, except Elo to Cielo. */
const VISA = '4111111111111111'
const ELO = '5066991111111050'

test.skip(process.platform === 'win32', 'needs a system that stops a process for a while')
let postgres: PostgresProcess
let receiver: Receiver
let processes: readonly CofreProcess[]
let ports: Ports
let secrets: { readonly production: string; readonly sandbox: string }
let sandbox: CofreProcess

// As in deploy/compose.yaml, except the acquirers, which the vault's process simulates.
test.beforeAll(async () => {
  postgres = await startPostgresProcess()
  receiver = await startReceiver()
  const key = `e2e:${randomBytes(32).toString('base64url')}`
  const servicePort = String(await freePort())
  const shared = { COFRE_VAULT_SERVICE_KEY: key, COFRE_NOTIFY_ALLOW: '127.0.0.0/8:*' }
  const ofGateway = {
    ...shared,
    COFRE_DATABASE_URL: postgres.url,
    COFRE_GATEWAY_KEY: key,
    COFRE_VAULT_SERVICE_URL: `http://127.0.0.1:${servicePort}`,
  }
  ports = await freePorts()
  const vault = await startVaultWithAcquirers(ports, {
    ...shared,
    COFRE_DEV_STORE_ID: STORE,
    COFRE_VAULT_DATABASE_URL: postgres.url,
    COFRE_VAULT_KEYS: key,
    COFRE_VAULT_SERVICE_PORT: servicePort,
  })
  const start = (roles: string, environment: string) =>
    startRoles(roles, ports, { ...ofGateway, COFRE_WORKER_ENVIRONMENTS: environment })
  const production = await start('api,worker', 'production')
  sandbox = await start('sandbox,worker', 'sandbox')
  processes = [production, sandbox, vault]
  secrets = {
    production: createStore(ofGateway),
    sandbox: createStore(ofGateway, '--sandbox'),
  }
})
test.afterAll(async () => {
  await Promise.all(processes.map((each) => each.dispose()))
  await receiver.close()
  await postgres.dispose()
})

/** @returns its secret */
function createStore(environ: Record<string, string>, ...flags: readonly string[]): string {
  const line = [COFRE, 'store', 'create', STORE, '--raw-cards', '--json', ...flags]
  const env = { ...process.env, ...environ }
  const output = execFileSync(process.execPath, line, { env, encoding: 'utf8' })
  return (JSON.parse(output) as { secret: string }).secret
}

function merchantAt(environment: 'production' | 'sandbox') {
  const port = environment === 'production' ? ports.api : ports.sandbox
  const baseUrl = `http://127.0.0.1:${port}`
  const secret = secrets[environment]
  return createMerchantClient({ baseUrl, storeId: STORE, secret, retryBudgetMs: 0 })
}

async function buy(environment: 'production' | 'sandbox', reference: string, card = VISA) {
  const bought = cardOrder(card, { reference, notificationUrl: receiver.url })
  return (await merchantAt(environment).createTransaction(bought)).transaction
}

/** Text of an acquirer's page. */
async function pageOf(acquirer: 'adyen' | 'cielo'): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${ports[acquirer]}`)).text()
}

async function whileItHangs({ pid }: CofreProcess, story: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  try {
    await story()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}

test('production sells, notifies and refunds while the sandbox’s process hangs, and takes a test refund that the sandbox then carries out', async () => {
  const tested = await buy('sandbox', 'test-1')
  expect(tested.status).toBe('PAID')
  const production = merchantAt('production')
  const refundOf = ({ code }: { readonly code: string }, test = {}) =>
    production.createRefund({ 'transaction-id': code, 'notify-url': receiver.url, ...test })
  const isNotified = (text: string) => receiver.received.some(({ body }) => body.includes(text))

  let refund = ''
  await whileItHangs(sandbox, async () => {
    const sold = await buy('production', 'order-1')
    refund = await refundOf(tested, { 'test-mode': 1 })
    const later = await buy('production', 'order-2', ELO)
    expect([sold.status, later.status]).toEqual(['PAID', 'PAID'])
    expect(await pageOf('adyen')).toContain('411111******1111')
    expect(await pageOf('cielo')).toContain('506699******1050')
    // Meanwhile, production's worker runs and leaves the test refund to the sandbox's worker.
    await expect.poll(() => isNotified(later.code)).toBe(true)
    const returned = await refundOf(sold)
    await expect.poll(() => isNotified(returned)).toBe(true)
    expect((await production.findTransaction(sold.code)).status).toBe('REFUNDED')
    expect(isNotified(refund)).toBe(false)
  })
  await expect.poll(() => isNotified(refund)).toBe(true)
})

// The last story: it leaves the sandbox stopped.
test('production sells and takes test refunds while there is no process of the sandbox at all', async () => {
  const tested = await buy('sandbox', 'test-2')
  await sandbox.kill()
  expect((await buy('production', 'order-3')).status).toBe('PAID')
  const refund = merchantAt('production').createRefund({
    'transaction-id': tested.code,
    'notify-url': receiver.url,
    'test-mode': 1,
  })
  await expect(refund).resolves.toMatch(/^\d+$/)
})
