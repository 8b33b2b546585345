import type { ProviderAccount } from '@cofre/provider-kit/account'
import type { AcquirerConnection, AcquirerProvider, AcquirerTools } from '@cofre/provider-kit/card'
import { loadAcquirers } from '@cofre/providers'
import type { CaptureDaysOf, InstallmentsOf } from '@cofre/vault'
import {
  type AccountConnections,
  type SimulatedConnect,
  createAccountConnections,
} from './account-connections.js'
import { unsimulatedAcquirer } from './unsimulated-providers.js'

/** The connections of this process to the acquirers of accounts. */
export interface AcquirerConnections extends AccountConnections<AcquirerConnection> {
  /** See `AcquirerProvider`; undefined for an unknown provider. */
  readonly installmentsOf: InstallmentsOf
  /** See `AcquirerProvider`. */
  readonly captureDaysOf: CaptureDaysOf
}

interface AcquirerConnectionsDeps {
  readonly tools: AcquirerTools
  readonly simulated?: SimulatedConnect<AcquirerProvider, AcquirerConnection> | undefined
  readonly providers?: () => Promise<readonly AcquirerProvider[]>
}

export function createAcquirerConnections({
  tools,
  simulated,
  providers = loadAcquirers,
}: AcquirerConnectionsDeps): AcquirerConnections {
  const connections = createAccountConnections<AcquirerProvider, AcquirerConnection>({
    log: tools.log,
    providers,
    connect: (provider, account) => provider.connect(account, tools),
    simulated,
    unsimulated: unsimulatedAcquirer,
    end: ({ acquirer }) => acquirer.close(),
  })
  const settingsOf = (settings: string) => JSON.parse(settings) as ProviderAccount['settings']
  const named = async (name: string) => (await providers()).find((one) => one.name === name)
  return {
    ...connections,
    async installmentsOf({ provider, settings }, brand) {
      return (await named(provider))?.installmentsOf(brand, settingsOf(settings))
    },
    async captureDaysOf({ provider, settings }, brand) {
      return (await named(provider))?.captureDaysOf?.(brand, settingsOf(settings))
    },
  }
}
