import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import type {
  ProviderSimulator,
  RunningSimulator,
  SimulatedEntry,
} from '@cofre/provider-kit/simulator'
import { PROVIDERS } from '@cofre/providers'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { isSimulatorName } from '../config/config.js'
import { type Application, servedRequests } from '../http/serve.js'
import { noticePath } from '../installation/notice-path.js'
import { type ProcessParts, listenAs, servingDeps } from './parts.js'

const NOTICES_HOST = '127.0.0.1'

/** Accounts of kind simulator, the disabled ones too. */
export type KnownAccounts = () => Promise<readonly ProviderAccount[]>

/** The providers of one zone that `npm start` plays for accounts of kind simulator. */
export interface PlayedProviders {
  /** Opens an account, once for each start. */
  readonly open: (account: ProviderAccount) => Promise<OpenedAccount>
  /**
   * Serves their pages.
   * @param notices - Where their notices go.
   * @throws ListenError
   */
  readonly serve: (notices: Application) => Promise<void>
}

/** An account as its played provider has opened it. */
export interface OpenedAccount extends SimulatedEntry {
  readonly noticeUrl: string
  readonly simulator: {
    readonly origin: string
    readonly queryOrigin?: string
    readonly caPem: string
  }
}

/** @param known - Opened when their provider starts: people go on with what is in its books. */
export function createPlayedProviders(
  parts: ProcessParts,
  zone: 'bank' | 'card',
  known: KnownAccounts = () => Promise.resolve([]),
): PlayedProviders {
  const played = new Map(
    PROVIDERS.flatMap(({ name, simulator, ...row }) =>
      row[zone] === undefined || simulator === undefined
        ? []
        : [[name, createPlayedProvider(parts, { name, load: simulator, known })] as const],
    ),
  )
  return {
    async open(account) {
      const provider = played.get(account.provider)
      if (provider === undefined) throw new Error(`nobody plays ${account.provider}`)
      return await provider.open(account)
    },
    async serve(notices) {
      for (const provider of played.values()) await provider.serve(notices)
    },
  }
}

interface SimulatorPlay {
  readonly name: string
  readonly load: () => Promise<ProviderSimulator>
  readonly known: KnownAccounts
}

/** A simulator that runs, and where it sends notices. */
interface Playing extends RunningSimulator {
  readonly noticesUrl: string
}

/** Started at the first need: until then it takes neither time nor memory. */
function createPlayedProvider(
  parts: ProcessParts,
  { name, load, known }: SimulatorPlay,
): PlayedProviders {
  const { promise: noticesKnown, resolve: tellNotices } = Promise.withResolvers<Application>()
  /** Their rows hold no credentials: the provider gives an account the same ones at every start. */
  const entries = new Map<string, Promise<SimulatedEntry>>()
  let playing: Promise<Playing> | undefined
  const entryAt = (running: Playing, account: ProviderAccount): Promise<SimulatedEntry> => {
    const before = entries.get(account.id)
    if (before !== undefined) return before
    const noticeUrl = running.noticesUrl + noticePath(account)
    const entry = running.openAccount({ ...account, noticeUrl })
    entries.set(account.id, entry)
    entry.catch(() => entries.delete(account.id))
    return entry
  }
  const play = (): Promise<Playing> => {
    playing ??= noticesKnown.then(async (notices) => {
      const running = await start(parts, { name, simulator: await load() }, notices)
      for (const account of await known())
        if (account.provider === name) await entryAt(running, account)
      return running
    })
    playing.catch(() => (playing = undefined))
    return playing
  }
  return {
    async open(account) {
      const running = await play()
      const { authority: caPem, noticesUrl, origin, queryOrigin } = running
      return {
        ...(await entryAt(running, account)),
        noticeUrl: noticesUrl + noticePath(account),
        simulator: { origin, caPem, ...(queryOrigin !== undefined && { queryOrigin }) },
      }
    },
    async serve(notices) {
      tellNotices(notices)
      if (!isSimulatorName(name)) return
      const page = new Hono().all('*', async (c) => (await play()).page(c.req.raw))
      page.onError(({ message }, c) => c.text(message, 503))
      await listenAs(parts, name, page)
    },
  }
}

interface Named {
  readonly name: string
  readonly simulator: ProviderSimulator
}

async function start(
  parts: ProcessParts,
  { name, simulator }: Named,
  notices: Application,
): Promise<Playing> {
  const { config, clock, closings, log } = parts
  const { folder, showsCertificate, title } = simulator
  try {
    const running = await simulator.start({
      folder: path.join(config.dataDir, 'simulators', folder),
      clock,
      randomBytes,
      // Without a port of its own it listens for its page itself.
      ...(isSimulatorName(name) && { pageUrl: config.endpoints[name].publicUrl }),
    })
    closings.push(() => running.stop())
    const noticesUrl = await listenForNotices(parts, { running, showsCertificate }, notices)
    log.info({ page: running.pageUrl }, `${title} has started`)
    return { ...running, noticesUrl }
  } catch (error) {
    log.error({ error }, `${title} cannot start`)
    throw error
  }
}

interface Noticing {
  readonly running: RunningSimulator
  readonly showsCertificate: boolean
}

/** Providers call HTTPS alone. */
async function listenForNotices(
  parts: ProcessParts,
  { running: { authority, issue }, showsCertificate }: Noticing,
  notices: Application,
): Promise<string> {
  const { certificate, privateKey } = await issue({
    name: 'Cofre',
    role: 'server',
    hosts: [NOTICES_HOST],
  })
  const fetch = servedRequests(notices, {
    ...servingDeps(parts, '', 'bounded'),
    role: 'notices',
    acceptsHost: () => true,
  })
  const listener = getRequestListener((request, bindings) => fetch(request, bindings))
  const options = {
    cert: certificate,
    key: privateKey.reveal(),
    ...(showsCertificate && { ca: authority, requestCert: true, rejectUnauthorized: true }),
  }
  const server = createServer(options, (request, response) => void listener(request, response))
  server.listen(0, NOTICES_HOST)
  await once(server, 'listening')
  parts.closings.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `https://${NOTICES_HOST}:${(server.address() as AddressInfo).port}`
}
