import { setTimeout } from 'node:timers/promises'
import type { AccountAnswers, ProviderAccount } from '@cofre/accounts'
import type { BankConnection, BankProvider, BankSimulator, BankTools } from '@cofre/banks'
import { type Log, SECOND_MS } from '@cofre/contracts'
import type { ClientCredentials, RunningInter, RunningPixBank } from '@cofre/simulators'
import { z } from 'zod'
import type { Application } from '../http/serve.js'
import { noticePath } from '../installation/notice-path.js'
import type { SimulatedConnect } from './account-connections.js'
import type { ProcessParts } from './parts.js'
import { type PlayedProvider, type Playing, SIMULATOR_HOST } from './simulator.js'
import { createPlayedProvider } from './simulator.js'

/** Few of the calls that the account may make. */
const REGISTER_AGAIN_MS = 5 * SECOND_MS

/** The banks that `npm start` plays. */
export interface SimulatedBanks {
  /** The bank sends the account's notices to Cofre from then on. */
  readonly connect: SimulatedConnect<BankProvider, BankConnection>
  /** Serves their pages. @throws ListenError */
  serve(notices: Application): Promise<void>
}

/** One that is played. */
interface Played {
  /** Opens an account, once for each start, with what it is entered by. */
  open(account: ProviderAccount): Promise<Opened>
  serve(notices: Application): Promise<void>
}

interface Opened {
  readonly answers: AccountAnswers
  readonly place: BankSimulator
  readonly noticesUrl: string
}

export function createSimulatedBanks(parts: ProcessParts, tools: BankTools): SimulatedBanks {
  const played = new Map<string, Played>([
    ['pix-api', playPixBank(parts)],
    ['inter', playInter(parts)],
  ])
  return {
    async connect(account, provider) {
      const bank = played.get(provider.name)
      if (bank === undefined) throw new Error(`nobody plays ${provider.name}`)
      return connect(tools, { account, provider, opened: await bank.open(account) })
    },
    async serve(notices) {
      for (const bank of played.values()) await bank.serve(notices)
    },
  }
}

const receiverSchema = z.object({ name: z.string(), city: z.string() })
const pixBankSettings = z.object({ pixKey: z.string(), receiver: receiverSchema })

function playPixBank(parts: ProcessParts): Played {
  const bank = createPlayedProvider<RunningPixBank>(parts, {
    name: 'simulator',
    title: 'the simulated bank',
    folder: 'pix-bank',
    showsCertificate: true,
    start: async (options) =>
      await (
        await import('@cofre/simulators')
      ).startPixBank({ ...options, webhookHandshake: 'efi' }),
  })
  return play(bank, async (running, { id, settings }) => {
    const { pixKey, receiver } = pixBankSettings.parse(settings)
    const taxId = taxIdOf(id)
    const opened = await running.openAccount({ label: id, taxId, pixKeys: [pixKey], ...receiver })
    return { opened, answers: { pixKey, ...receiverAnswers(receiver) } }
  })
}

const interSettings = z.object({ accountNumber: z.string(), receiver: receiverSchema })

function playInter(parts: ProcessParts): Played {
  const inter = createPlayedProvider<RunningInter>(parts, {
    name: 'inter',
    title: 'the simulated Inter',
    folder: 'inter',
    showsCertificate: true,
    start: async (options) => await (await import('@cofre/simulators')).startInter(options),
  })
  return play(inter, async (running, { id, settings }) => {
    const { accountNumber, receiver } = interSettings.parse(settings)
    // A random Pix key, as banks draw them.
    const account = { label: id, taxId: taxIdOf(id), number: accountNumber, pixKeys: [id] }
    const opened = await running.openAccount({ ...account, ...receiver })
    return { opened, answers: { accountNumber, ...receiverAnswers(receiver) } }
  })
}

function receiverAnswers({ name, city }: z.output<typeof receiverSchema>): AccountAnswers {
  return { receiverName: name, receiverCity: city }
}

interface Opening {
  readonly opened: ClientCredentials
  /** What is entered of the account, besides its credentials. */
  readonly answers: AccountAnswers
}

/** Its row holds no credentials: the bank gives the account the same ones at every start. */
function play<Bank extends RunningPixBank | RunningInter>(
  bank: PlayedProvider<Bank>,
  open: (running: Playing<Bank>, account: ProviderAccount) => Promise<Opening>,
): Played {
  /** By the ids of our accounts. */
  const openings = new Map<string, Opening>()
  return {
    async open(account) {
      const running = await bank.play()
      const opening = openings.get(account.id) ?? (await open(running, account))
      openings.set(account.id, opening)
      const { clientId, clientSecret = '', certificate, privateKey } = opening.opened
      const file = Buffer.from(certificate + privateKey.reveal())
      const { apiPort, authority, noticesUrl } = running
      return {
        answers: { ...opening.answers, clientId, clientSecret, certificate: file },
        place: { origin: `https://${SIMULATOR_HOST}:${apiPort}`, caPem: authority },
        noticesUrl,
      }
    },
    serve: (notices) => bank.serve(notices),
  }
}

const settingsSchema = z.object({ profile: z.string() })

interface Connecting {
  readonly account: ProviderAccount
  readonly provider: BankProvider
  readonly opened: Opened
}

function connect(tools: BankTools, { account, provider, opened }: Connecting): BankConnection {
  const { kind, secrets } = account
  const { profile } = settingsSchema.parse(account.settings)
  const { answers, noticesUrl, place: simulator } = opened
  const nowMs = tools.clock.now()
  const { credentials, ...entered } = provider.readAccount({ profile, kind, answers, nowMs })
  const connection = provider.connect(
    { ...account, ...entered, secrets: { ...secrets, credentials } },
    { ...tools, simulator },
  )
  const ending = new AbortController()
  // Not waited for: the bank may try the address meanwhile, which needs this connection.
  void register(connection, noticesUrl + noticePath(account), {
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
