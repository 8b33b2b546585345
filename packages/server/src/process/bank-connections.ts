import type { ProviderAccount } from '@cofre/accounts'
import type { BankConnection, BankProvider, BankTools } from '@cofre/banks'
import type { BankOfAccount } from '@cofre/gateway'
import { unplayedBank } from './unplayed-bank.js'

/** The connections of this process to the banks of accounts. */
export interface BankConnections {
  /** One for each account, for as long as its credentials and settings are the same. */
  readonly of: (account: ProviderAccount) => Promise<BankConnection>
  /** For gateways. */
  readonly bankOf: BankOfAccount
  close(): Promise<void>
}

/** Connects an account of kind simulator to the bank that this process plays. */
export type SimulatedConnect = (
  account: ProviderAccount,
  provider: BankProvider,
) => Promise<BankConnection>

interface BankConnectionsDeps {
  readonly tools: BankTools
  /** Without, no process plays a bank. */
  readonly simulated?: SimulatedConnect | undefined
  readonly providers?: () => Promise<readonly BankProvider[]>
}

interface Kept {
  readonly account: ProviderAccount
  readonly connection: Promise<BankConnection>
}

export function createBankConnections(deps: BankConnectionsDeps): BankConnections {
  const kept = new Map<string, Kept>()
  const of = (account: ProviderAccount): Promise<BankConnection> => {
    const before = kept.get(account.id)
    if (before !== undefined && isSame(before.account, account)) return before.connection
    const connection = connect(deps, account)
    kept.set(account.id, { account, connection })
    if (before !== undefined) void end(before)
    connection.catch(() => {
      // The next one who needs it tries anew.
      if (kept.get(account.id)?.connection === connection) kept.delete(account.id)
    })
    return connection
  }
  const end = async ({ account, connection }: Kept): Promise<void> => {
    try {
      await (await connection).close()
    } catch (error) {
      deps.tools.log.warn(
        { account: account.id, error },
        'a connection to a bank could not be closed',
      )
    }
  }
  return {
    of,
    bankOf: async (account) => (await of(account)).pix,
    async close() {
      await Promise.all([...kept.values()].map(end))
    },
  }
}

/** A process whose stores have no accounts does without their code. */
async function loadProviders(): Promise<readonly BankProvider[]> {
  const { BANK_PROVIDERS } = await import('@cofre/banks')
  return BANK_PROVIDERS
}

async function connect(
  { tools, simulated, providers = loadProviders }: BankConnectionsDeps,
  account: ProviderAccount,
): Promise<BankConnection> {
  const { id, kind } = account
  const provider = (await providers()).find(({ name }) => name === account.provider)
  if (provider === undefined)
    throw new Error(`no provider of this version is named ${account.provider}: account ${id}`)
  if (kind !== 'simulator') return provider.connect(account, tools)
  if (simulated !== undefined) return await simulated(account, provider)
  tools.log.info({ account: id }, 'nobody plays the bank of this account: its charges end unpaid')
  return unplayedBank(account)
}

/** What else of an account may change is not the bank's. */
function isSame(one: ProviderAccount, other: ProviderAccount): boolean {
  const [credentials, otherCredentials] = [one, other].map(({ secrets }) =>
    secrets.credentials.reveal(),
  )
  return (
    credentials === otherCredentials &&
    JSON.stringify(one.settings) === JSON.stringify(other.settings)
  )
}
