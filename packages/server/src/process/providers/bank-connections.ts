import type {
  BankConnection,
  BankProvider,
  BankTools,
  BankOfAccount,
} from '@cofre/provider-kit/bank'
import { loadBanks } from '@cofre/providers'
import {
  type AccountConnections,
  type SimulatedConnect,
  createAccountConnections,
} from './account-connections.js'
import { unsimulatedBank } from './unsimulated-providers.js'

/** The connections of this process to the banks of accounts. */
export interface BankConnections extends AccountConnections<BankConnection> {
  /** For gateways. */
  readonly bankOf: BankOfAccount
}

interface BankConnectionsDeps {
  readonly tools: BankTools
  readonly simulated?: SimulatedConnect<BankProvider, BankConnection> | undefined
  readonly providers?: () => Promise<readonly BankProvider[]>
}

export function createBankConnections({
  tools,
  simulated,
  providers = loadBanks,
}: BankConnectionsDeps): BankConnections {
  const connections = createAccountConnections<BankProvider, BankConnection>({
    log: tools.log,
    providers,
    connect: (provider, account) => provider.connect(account, tools),
    simulated,
    unsimulated: unsimulatedBank,
    end: (connection) => connection.close(),
  })
  return { ...connections, bankOf: connections.of }
}
