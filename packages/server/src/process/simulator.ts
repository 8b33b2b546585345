import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { BankConnection, BankProvider, BankTools } from '@cofre/banks'
import type { Log } from '@cofre/contracts'
import type { ProviderAccount } from '@cofre/gateway'
import type { ClientCredentials, RunningPixBank } from '@cofre/simulators'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { z } from 'zod'
import { type Application, servedRequests } from '../http/serve.js'
import { noticePath } from '../installation/notice-path.js'
import type { SimulatedConnect } from './bank-connections.js'
import { type ProcessParts, listenAs, servingDeps } from './parts.js'

const HOST = '127.0.0.1'

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
  readonly accounts: Map<string, Promise<ClientCredentials>>
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
        throw error
      }))
  return {
    connect: async (account, provider) => await connect(tools, await play(), { account, provider }),
    async serve(notices) {
      tellNotices(notices)
      const page = new Hono().all('*', async (c) => (await play()).page(c.req.raw))
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
    bank.openAccount({ label: id, taxId: taxIdOf(id), pixKeys: [pixKey], ...receiver })
  bank.accounts.set(id, opened)
  const { clientId, clientSecret = '', certificate, privateKey } = await opened
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
  // Not waited for: the bank tries the address meanwhile, which needs this connection.
  void register(connection, bank.noticesUrl + noticePath(account), tools.log)
  return connection
}

async function register({ notices }: BankConnection, url: string, log: Log): Promise<void> {
  try {
    // What stands there is ours, at the port of an earlier start.
    const registered = await notices.register({
      url,
      others: 'replace',
      bankCertificate: 'checked',
    })
    if (registered.kind === 'done') return
    log.warn(registered, 'the simulated bank does not know where its notices go')
  } catch (error) {
    log.warn({ error }, 'the simulated bank does not know where its notices go')
  }
}

/** A CNPJ as they are since 2026, of nobody: the bank knows one account of each. */
function taxIdOf(accountId: string): string {
  return `${accountId.replaceAll('-', '').slice(0, 12).toUpperCase()}00`
}
