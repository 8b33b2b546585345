import { setTimeout } from 'node:timers/promises'
import type { BankConnection, BankProvider, BankTools } from '@cofre/provider-kit/bank'
import { type Log, SECOND_MS } from '@cofre/contracts'
import type { SimulatedConnect } from './account-connections.js'
import type { ProcessParts } from '../parts.js'
import { type SimulatedProviders, createSimulatedProviders } from './simulator.js'

/** Uses few of the calls that the account may make. */
const REGISTER_AGAIN_MS = 5 * SECOND_MS

/** The banks that `npm start` simulates. */
export interface SimulatedBanks extends Pick<SimulatedProviders, 'serve'> {
  /** Also registers the account's notice address at the bank. */
  readonly connect: SimulatedConnect<BankProvider, BankConnection>
}

export function createSimulatedBanks(parts: ProcessParts, tools: BankTools): SimulatedBanks {
  const { open, serve } = createSimulatedProviders(parts, 'bank')
  return {
    async connect(account, provider) {
      const { kind, secrets } = account
      const { answers, noticeUrl, profile, simulator } = await open(account)
      const nowMs = tools.clock.now()
      const { credentials, ...entered } = provider.readAccount({ profile, kind, answers, nowMs })
      const connection = provider.connect(
        { ...account, ...entered, secrets: { ...secrets, credentials } },
        { ...tools, simulator },
      )
      return registered(connection, noticeUrl, tools.log)
    },
    serve,
  }
}

function registered(connection: BankConnection, noticeUrl: string, log: Log): BankConnection {
  const ending = new AbortController()
  // Not awaited: the bank may test the address first, which needs this connection.
  void register(connection, noticeUrl, { log, signal: ending.signal })
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

/**
 * Repeats until the bank has registered the address: a person may have made the bank unreachable.
 */
async function register(
  { notices }: BankConnection,
  url: string,
  { log, signal }: Registering,
): Promise<void> {
  // An existing address is our own, at an earlier start's port.
  const address = { url, others: 'replace', bankCertificate: 'checked' } as const
  let hasFailed = false
  while (!signal.aborted) {
    const registered = await notices
      .register(address)
      .catch((error: unknown) => ({ kind: 'failed' as const, error }))
    if (registered.kind === 'done') return
    if (!hasFailed)
      log.warn(registered, 'simulated bank did not register its notice address; trying again')
    hasFailed = true
    await setTimeout(REGISTER_AGAIN_MS, undefined, { signal }).catch(() => undefined)
  }
}
