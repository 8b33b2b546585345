import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Log } from '@cofre/contracts'
import type { ProviderAccount } from '@cofre/provider-kit/account'
import type {
  ProviderSimulator,
  RunningSimulator,
  SimulatedEntry,
} from '@cofre/provider-kit/simulator'
import { PROVIDERS } from '@cofre/providers'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { isSimulatorName } from '../../config/config.js'
import { type Application, servedRequests } from '../../http/serve.js'
import { noticePath } from '../../installation/notice-path.js'
import { type ProcessParts, listenAs, servingDeps } from '../parts.js'

const NOTICES_HOST = '127.0.0.1'

/** Accounts of kind simulator, including disabled ones. */
export type KnownAccounts = () => Promise<readonly ProviderAccount[]>

/** The simulated providers of one zone, for accounts of kind simulator. */
export interface SimulatedProviders {
  /** Opens an account, once for each start. */
  readonly open: (account: ProviderAccount) => Promise<OpenedAccount>
  /**
   * Serves their pages.
   * @param notices - Receives their notices.
   * @throws ListenError
   */
  readonly serve: (notices: Application) => Promise<void>
}

/** An account that its simulated provider has opened. */
export interface OpenedAccount extends SimulatedEntry {
  readonly noticeUrl: string
  readonly simulator: {
    readonly origin: string
    readonly queryOrigin?: string
    readonly caPem: string
  }
}

/**
 * @param known - Accounts to open with their provider, so that people can continue with its books.
 */
export function createSimulatedProviders(
  parts: ProcessParts,
  zone: 'bank' | 'card',
  known: KnownAccounts = () => Promise.resolve([]),
): SimulatedProviders {
  const simulated = new Map(
    PROVIDERS.flatMap(({ name, simulator, ...row }) =>
      row[zone] === undefined || simulator === undefined
        ? []
        : [[name, createSimulatedProvider(parts, { name, load: simulator, known })] as const],
    ),
  )
  return {
    async open(account) {
      const provider = simulated.get(account.provider)
      if (provider === undefined) throw new Error(`nobody plays ${account.provider}`)
      return await provider.open(account)
    },
    async serve(notices) {
      for (const provider of simulated.values()) await provider.serve(notices)
    },
  }
}

interface SimulatorSource {
  readonly name: string
  readonly load: () => Promise<ProviderSimulator>
  readonly known: KnownAccounts
}

/** A running simulator. */
interface StartedSimulator extends RunningSimulator {
  /** Address of its notices for an account. */
  noticeUrlOf(account: ProviderAccount): string
  /** Opens an account, once: its row holds no credentials. */
  entryOf(account: ProviderAccount): Promise<SimulatedEntry>
}

/** Started when first needed, to save time and memory. */
function createSimulatedProvider(
  parts: ProcessParts,
  provider: SimulatorSource,
): SimulatedProviders {
  const { name } = provider
  const { promise: noticesKnown, resolve: reportNotices } = Promise.withResolvers<Application>()
  let starting: Promise<StartedSimulator> | undefined
  const started = (): Promise<StartedSimulator> =>
    (starting ??= noticesKnown
      .then((notices) => start(parts, provider, notices))
      .catch((error: unknown) => {
        starting = undefined
        throw error
      }))
  return {
    async open(account) {
      const running = await started()
      const { authority: caPem, origin, queryOrigin } = running
      return {
        ...(await running.entryOf(account)),
        noticeUrl: running.noticeUrlOf(account),
        simulator: { origin, caPem, ...(queryOrigin !== undefined && { queryOrigin }) },
      }
    },
    async serve(notices) {
      reportNotices(notices)
      if (!isSimulatorName(name)) return
      const page = new Hono().all('*', async (c) => (await started()).page(c.req.raw))
      page.onError(({ message }, c) => c.text(message, 503))
      await listenAs(parts, name, page)
    },
  }
}

/** Starts a simulator with its known accounts. After a failure, stops all of it. */
async function start(
  parts: ProcessParts,
  { name, load, known }: SimulatorSource,
  notices: Application,
): Promise<StartedSimulator> {
  const { config, clock, closings, log } = parts
  const stops: (() => Promise<void> | void)[] = []
  try {
    const simulator = await load()
    const { folder = name, showsCertificate, title } = simulator
    const running = await simulator.start({
      folder: path.join(config.dataDir, 'simulators', folder),
      clock,
      randomBytes,
      // Without its own port, it serves its page itself.
      ...(isSimulatorName(name) && { pageUrl: config.endpoints[name].publicUrl }),
    })
    stops.push(() => running.stop())
    const listener = await listenForNotices(parts, { running, showsCertificate }, notices)
    stops.push(() => {
      listener.stop()
    })
    const playing = withEntries(running, listener.url)
    for (const account of await known())
      if (account.provider === name) await openKnown(playing, account, log)
    closings.push(...stops)
    log.info({ page: running.pageUrl }, `${title} has started`)
    return playing
  } catch (error) {
    log.error({ error, provider: name }, 'a simulator cannot start')
    for (const stop of stops.toReversed()) await stop()
    throw error
  }
}

/** An account that can't be opened does not block others: its own callers get the error. */
async function openKnown(
  playing: StartedSimulator,
  account: ProviderAccount,
  log: Log,
): Promise<void> {
  try {
    await playing.entryOf(account)
  } catch (error) {
    const { id, provider } = account
    log.error({ error, account: id, provider }, 'a simulator cannot open an account')
  }
}

function withEntries(running: RunningSimulator, noticesUrl: string): StartedSimulator {
  const noticeUrlOf = (account: ProviderAccount) => noticesUrl + noticePath(account)
  const entries = new Map<string, Promise<SimulatedEntry>>()
  return {
    ...running,
    noticeUrlOf,
    entryOf(account) {
      const before = entries.get(account.id)
      if (before !== undefined) return before
      const entry = running.openAccount({ ...account, noticeUrl: noticeUrlOf(account) })
      entries.set(account.id, entry)
      entry.catch(() => entries.delete(account.id))
      return entry
    },
  }
}

interface Noticing {
  readonly running: RunningSimulator
  readonly showsCertificate: boolean
}

/** Providers call only HTTPS. */
async function listenForNotices(
  parts: ProcessParts,
  { running: { authority, issue }, showsCertificate }: Noticing,
  notices: Application,
) {
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
  return {
    url: `https://${NOTICES_HOST}:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
