import type { AcquirerConnection, AcquirerProvider, AcquirerTools } from '@cofre/acquirers'
import {
  type AccountConnections,
  type SimulatedConnect,
  createAccountConnections,
} from './account-connections.js'
import { unplayedAcquirer } from './unplayed-providers.js'

/** The connections of this process to the acquirers of accounts. */
export type AcquirerConnections = AccountConnections<AcquirerConnection>

interface AcquirerConnectionsDeps {
  readonly tools: AcquirerTools
  readonly simulated?: SimulatedConnect<AcquirerProvider, AcquirerConnection> | undefined
  readonly providers?: () => Promise<readonly AcquirerProvider[]>
}

export function createAcquirerConnections({
  tools,
  simulated,
  providers = async () => (await import('@cofre/acquirers')).ACQUIRER_PROVIDERS,
}: AcquirerConnectionsDeps): AcquirerConnections {
  return createAccountConnections<AcquirerProvider, AcquirerConnection>({
    log: tools.log,
    providers,
    connect: (provider, account) => provider.connect(account, tools),
    simulated,
    unplayed: unplayedAcquirer,
    end: ({ acquirer }) => acquirer.close(),
  })
}
