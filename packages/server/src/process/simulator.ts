import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ProviderAccount } from '@cofre/accounts'
import type { BankConnection, BankProvider, BankTools } from '@cofre/banks'
import { type Log, SECOND_MS } from '@cofre/contracts'
import type { ClientCredentials, RunningPixBank } from '@cofre/simulators'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { type Application, servedRequests } from '../http/serve.js'
import { noticePath } from '../installation/notice-path.js'
import type { SimulatedConnect } from './bank-connections.js'
import { type ProcessParts, listenAs, servingDeps } from './parts.js'

const HOST = '127.0.0.1'
/** Few of the calls that the account may make. */
const REGISTER_AGAIN_MS = 5 * SECOND_MS

/** The bank that `npm start` plays for accounts of kind simulator, over real HTTPS. */
export interface BankSimulator {
  /** The bank sends the account's notices here from then on. */
  readonly connect: SimulatedConnect
  /**
   * Serves the bank's page.
   * @param notices - Where the bank's notices go.
   * @throws ListenError
   */
  serve(notices: Application): Promise<void>
}

/** A bank that runs, and where its notices go. */
interface Playing extends RunningPixBank {
  readonly noticesUrl: string
  /** By the ids of our accounts. */
  readonly accounts: Map<string, ClientCredentials>
}

/** It starts at its first need: until then it takes neither time nor memory. */
export function createBankSimulator(parts: ProcessParts, tools: BankTools): BankSimulator {
  const { promise: noticesKnown, resolve: tellNotices } = Promise.withResolvers<Application>()
  let playing: Promise<Playing> | undefined
  const play = (): Promise<Playing> =>
    (playing ??= noticesKnown
      .then((notices) => start(parts, notices))
      .catch((error: unknown) => {
        playing = undefined
        parts.log.error({ error }, 'the simulated bank cannot start')
        throw error
      }))
  return {
    connect: async (account, provider) => await connect(tools, await play(), { account, provider }),
    async serve(notices) {
      tellNotices(notices)
      const page = new Hono().all('*', async (c) => (await play()).page(c.req.raw))
      page.onError(({ message }, c) => c.text(message, 503))
      await listenAs(parts, 'simulator', page)
    },
  }
}

async function start(parts: ProcessParts, notices: Application): Promise<Playing> {
  const { config, clock, closings, log } = parts
  const { startPixBank } = await import('@cofre/simulators')
  const bank = await startPixBank({
    folder: path.join(config.dataDir, 'simulators', 'pix-bank'),
    clock,
    randomBytes,
    pageUrl: config.endpoints.simulator.publicUrl,
    webhookHandshake: 'efi',
  })
  closings.push(() => bank.stop())
  const noticesUrl = await listenForNotices(parts, bank, notices)
  log.info({ page: bank.pageUrl }, 'the simulated bank has started')
  return { ...bank, noticesUrl, accounts: new Map() }
}

/** The bank calls HTTPS alone, and nobody without its certificate gets through. */
async function listenForNotices(
  parts: ProcessParts,
  { issue, authority }: RunningPixBank,
  notices: Application,
): Promise<string> {
  const { certificate, privateKey } = await issue({ name: 'Cofre', role: 'server', hosts: [HOST] })
  const fetch = servedRequests(notices, {
    ...servingDeps(parts, '', 'bounded'),
    role: 'notices',
    acceptsHost: () => true,
  })
  const listener = getRequestListener((request, bindings) => fetch(request, bindings))
  const options = {
    cert: certificate,
    key: privateKey.reveal(),
    ca: authority,
    requestCert: true,
    rejectUnauthorized: true,
  }
  const server = createServer(options, (request, response) => void listener(request, response))
  server.listen(0, HOST)
  await once(server, 'listening')
  parts.closings.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `https://${HOST}:${(server.address() as AddressInfo).port}`
}

const settingsSchema = z.object({
  profile: z.string(),
  pixKey: z.string(),
  receiver: z.object({ name: z.string(), city: z.string() }),
})

interface Connected {
  readonly account: ProviderAccount
  readonly provider: BankProvider
}

/** Its row holds no credentials: the bank gives the account the same ones at every start. */
async function connect(
  tools: BankTools,
  bank: Playing,
  { account, provider }: Connected,
): Promise<BankConnection> {
  const { id, kind, secrets } = account
  const { profile, pixKey, receiver } = settingsSchema.parse(account.settings)
  const opened =
    bank.accounts.get(id) ??
    (await bank.openAccount({ label: id, taxId: taxIdOf(id), pixKeys: [pixKey], ...receiver }))
  bank.accounts.set(id, opened)
  const { clientId, clientSecret = '', certificate, privateKey } = opened
  const { credentials, ...entered } = provider.readAccount({
    profile,
    kind,
    answers: {
      pixKey,
      receiverName: receiver.name,
      receiverCity: receiver.city,
      clientId,
      clientSecret,
      certificate: Buffer.from(certificate + privateKey.reveal()),
    },
    nowMs: tools.clock.now(),
  })
  const simulator = { origin: `https://${HOST}:${bank.apiPort}`, caPem: bank.authority }
  const connection = provider.connect(
    { ...account, ...entered, secrets: { ...secrets, credentials } },
    { ...tools, simulator },
  )
  const ending = new AbortController()
  // Not waited for: the bank tries the address meanwhile, which needs this connection.
  void register(connection, bank.noticesUrl + noticePath(account), {
    log: tools.log,
    signal: ending.signal,
  })
  return {
    ...connection,
    close() {
      ending.abort()
      return connection.close()
    },
  }
}

interface Registering {
  readonly log: Log
  readonly signal: AbortSignal
}

/** Until the bank has taken the address: a person may have sent the bank away. */
async function register(
  { notices }: BankConnection,
  url: string,
  { log, signal }: Registering,
): Promise<void> {
  // What stands there is ours, at the port of an earlier start.
  const address = { url, others: 'replace', bankCertificate: 'checked' } as const
  let hasFailed = false
  while (!signal.aborted) {
    const registered = await notices
      .register(address)
      .catch((error: unknown) => ({ kind: 'failed' as const, error }))
    if (registered.kind === 'done') return
    if (!hasFailed) log.warn(registered, 'the simulated bank does not know where its notices go')
    hasFailed = true
    await setTimeout(REGISTER_AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** A CNPJ as they are since 2026, of nobody: the bank knows one account of each. */
function taxIdOf(accountId: string): string {
  return `${accountId.replaceAll('-', '').slice(0, 12).toUpperCase()}00`
}
