import { setTimeout } from 'node:timers/promises'
import type { ProviderAccount } from '@cofre/accounts'
import type { BankConnection, BankProvider, BankTools } from '@cofre/banks'
import { type Log, SECOND_MS } from '@cofre/contracts'
import type { ClientCredentials, RunningPixBank } from '@cofre/simulators'
import { z } from 'zod'
import type { Application } from '../http/serve.js'
import { noticePath } from '../installation/notice-path.js'
import type { SimulatedConnect } from './account-connections.js'
import type { ProcessParts } from './parts.js'
import { type Playing, SIMULATOR_HOST, createPlayedProvider } from './simulator.js'

/** Few of the calls that the account may make. */
const REGISTER_AGAIN_MS = 5 * SECOND_MS

/** The bank that `npm start` plays. */
export interface SimulatedBank {
  /** The bank sends the account's notices to Cofre from then on. */
  readonly connect: SimulatedConnect<BankProvider, BankConnection>
  /** See {@link createPlayedProvider}. */
  serve(notices: Application): Promise<void>
}

export function createSimulatedBank(parts: ProcessParts, tools: BankTools): SimulatedBank {
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
  const accounts: OpenedAccounts = new Map()
  return {
    connect: async (account, provider) =>
      await connect(tools, { bank: await bank.play(), accounts }, { account, provider }),
    serve: (notices) => bank.serve(notices),
  }
}

/** By the ids of our accounts. */
type OpenedAccounts = Map<string, ClientCredentials>

interface Opening {
  readonly bank: Playing<RunningPixBank>
  readonly accounts: OpenedAccounts
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
  { bank, accounts }: Opening,
  { account, provider }: Connected,
): Promise<BankConnection> {
  const { id, kind, secrets } = account
  const { profile, pixKey, receiver } = settingsSchema.parse(account.settings)
  const opened =
    accounts.get(id) ??
    (await bank.openAccount({ label: id, taxId: taxIdOf(id), pixKeys: [pixKey], ...receiver }))
  accounts.set(id, opened)
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
  const simulator = { origin: `https://${SIMULATOR_HOST}:${bank.apiPort}`, caPem: bank.authority }
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
