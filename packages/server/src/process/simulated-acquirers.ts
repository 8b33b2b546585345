import type { AccountAnswers, ProviderAccount } from '@cofre/accounts'
import type {
  AcquirerConnection,
  AcquirerProvider,
  AcquirerSimulator,
  AcquirerTools,
} from '@cofre/acquirers'
import type { RunningAdyen, RunningCielo } from '@cofre/simulators'
import { z } from 'zod'
import type { Application } from '../http/serve.js'
import { noticePath } from '../installation/notice-path.js'
import type { SimulatedConnect } from './account-connections.js'
import type { ProcessParts } from './parts.js'
import { SIMULATOR_HOST, createPlayedProvider } from './simulator.js'

/** The acquirers that `npm start` plays. */
export interface SimulatedAcquirers {
  readonly connect: SimulatedConnect<AcquirerProvider, AcquirerConnection>
  /** Serves their pages. @throws ListenError */
  serve(notices: Application): Promise<void>
}

/** An account as the acquirer that is played has opened it. */
interface Opened {
  readonly profile: string
  readonly answers: AccountAnswers
}

/** One that is played. */
interface Played {
  /** Opens an account, once for each start. */
  open(account: ProviderAccount): Promise<Opened>
  place(): Promise<AcquirerSimulator>
  serve(notices: Application): Promise<void>
}

/** Those of kind simulator, the disabled ones too. */
export type KnownAccounts = () => Promise<readonly ProviderAccount[]>

/** @param known - Opened when their acquirer starts: people may go on with what is in its books. */
export function createSimulatedAcquirers(
  parts: ProcessParts,
  tools: AcquirerTools,
  known: KnownAccounts,
): SimulatedAcquirers {
  const played = new Map<string, Played>([
    ['adyen', playAdyen(parts, known)],
    ['cielo', playCielo(parts, known)],
  ])
  return {
    async connect(account, provider) {
      const acquirer = played.get(provider.name)
      if (acquirer === undefined) throw new Error(`nobody plays ${provider.name}`)
      const { id, kind, secrets } = account
      const { profile, answers } = await acquirer.open(account)
      const nowMs = tools.clock.now()
      const { credentials, settings } = provider.readAccount({ profile, kind, answers, nowMs })
      return provider.connect(
        { id, kind, settings, secrets: { ...secrets, credentials } },
        { ...tools, simulator: await acquirer.place() },
      )
    },
    async serve(notices) {
      for (const acquirer of played.values()) await acquirer.serve(notices)
    },
  }
}

const adyenSettings = z.object({ merchantAccount: z.string(), returnUrl: z.string() })

function playAdyen(parts: ProcessParts, known: KnownAccounts): Played {
  const adyen = createPlayedProvider<RunningAdyen>(parts, {
    name: 'adyen',
    title: 'the simulated Adyen',
    folder: 'adyen',
    showsCertificate: false,
    start: async (options) => await (await import('@cofre/simulators')).startAdyen(options),
    started: (running) => openAll(known, 'adyen', (account) => open(running, account)),
  })
  const open = opening<RunningAdyen & Noticed>(async (running, account) => {
    const { merchantAccount, returnUrl } = adyenSettings.parse(account.settings)
    const noticeUrl = running.noticesUrl + noticePath(account)
    const { apiKey, hmacKey } = await running.openAccount({ merchantAccount, noticeUrl })
    return { profile: 'checkout', answers: { merchantAccount, returnUrl, apiKey, hmacKey } }
  })
  return {
    open: async (account) => await open(await adyen.play(), account),
    async place() {
      const { apiPort, authority } = await adyen.play()
      return { origin: originAt(apiPort), caPem: authority }
    },
    serve: (notices) => adyen.serve(notices),
  }
}

const cieloSettings = z.object({
  merchantId: z.string(),
  installmentsMax: z.coerce.number().optional(),
})

function playCielo(parts: ProcessParts, known: KnownAccounts): Played {
  const cielo = createPlayedProvider<RunningCielo>(parts, {
    name: 'cielo',
    title: 'the simulated Cielo',
    folder: 'cielo',
    showsCertificate: false,
    start: async (options) => await (await import('@cofre/simulators')).startCielo(options),
    started: (running) => openAll(known, 'cielo', (account) => open(running, account)),
  })
  const open = opening<RunningCielo & Noticed>(async (running, account) => {
    const settings = cieloSettings.parse(account.settings)
    const { merchantId, installmentsMax } = settings
    const noticeUrl = running.noticesUrl + noticePath(account)
    const opened = await running.openAccount({ label: account.id, noticeUrl, ...settings })
    const { merchantKey } = opened
    const contract =
      installmentsMax === undefined ? {} : { installmentsMax: String(installmentsMax) }
    return { profile: 'e-commerce', answers: { merchantId, merchantKey, ...contract } }
  })
  return {
    open: async (account) => await open(await cielo.play(), account),
    async place() {
      const { apiPort, queryPort, authority } = await cielo.play()
      const queryOrigin = originAt(queryPort)
      return { origin: originAt(apiPort), queryOrigin, caPem: authority }
    },
    serve: (notices) => cielo.serve(notices),
  }
}

interface Noticed {
  readonly noticesUrl: string
}

/** Its row holds no credentials: the acquirer gives the account the same ones at every start. */
function opening<Running>(
  open: (running: Running, account: ProviderAccount) => Promise<Opened>,
): (running: Running, account: ProviderAccount) => Promise<Opened> {
  const opened = new Map<string, Promise<Opened>>()
  return (running, account) => {
    const before = opened.get(account.id)
    if (before !== undefined) return before
    const opening = open(running, account)
    opened.set(account.id, opening)
    opening.catch(() => opened.delete(account.id))
    return opening
  }
}

async function openAll(
  known: KnownAccounts,
  provider: string,
  open: (account: ProviderAccount) => Promise<Opened>,
): Promise<void> {
  for (const account of await known()) if (account.provider === provider) await open(account)
}

function originAt(port: number): string {
  return `https://${SIMULATOR_HOST}:${port}`
}
