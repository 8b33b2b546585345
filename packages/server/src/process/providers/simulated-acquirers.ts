import type { AcquirerConnection, AcquirerProvider, AcquirerTools } from '@cofre/provider-kit/card'
import type { SimulatedConnect } from './account-connections.js'
import type { ProcessParts } from '../parts.js'
import {
  type KnownAccounts,
  type SimulatedProviders,
  createSimulatedProviders,
} from './simulator.js'

/** The acquirers that `npm start` simulates. */
export interface SimulatedAcquirers extends Pick<SimulatedProviders, 'serve'> {
  readonly connect: SimulatedConnect<AcquirerProvider, AcquirerConnection>
}

export function createSimulatedAcquirers(
  parts: ProcessParts,
  tools: AcquirerTools,
  known: KnownAccounts,
): SimulatedAcquirers {
  const { open, serve } = createSimulatedProviders(parts, 'card', known)
  return {
    async connect(account, provider) {
      const { id, kind, secrets } = account
      const { answers, profile, simulator } = await open(account)
      const nowMs = tools.clock.now()
      const { credentials, settings } = provider.readAccount({ profile, kind, answers, nowMs })
      return provider.connect(
        { id, kind, settings, secrets: { ...secrets, credentials } },
        { ...tools, simulator },
      )
    },
    serve,
  }
}
