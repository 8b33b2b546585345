import type { AccountProvider, ProviderAccount } from '@cofre/provider-kit/account'
import { type Log, MINUTE_MS } from '@cofre/contracts'

/** The connections of this process to the providers of accounts. */
export interface AccountConnections<Connection> {
  /** One for each account, for as long as its credentials and settings are the same. */
  readonly of: (account: ProviderAccount) => Promise<Connection>
  close(): Promise<void>
}

/** Connects an account of kind simulator to the provider that this process plays. */
export type SimulatedConnect<Provider, Connection> = (
  account: ProviderAccount,
  provider: Provider,
) => Promise<Connection>

/** How accounts of one kind of provider are connected. */
export interface Connecting<Provider extends AccountProvider, Connection> {
  readonly log: Log
  /** Loads their code: a process whose stores have no accounts does without. */
  readonly providers: () => Promise<readonly Provider[]>
  readonly connect: (provider: Provider, account: ProviderAccount) => Connection
  /** Without, this process plays no provider. */
  readonly simulated: SimulatedConnect<Provider, Connection> | undefined
  /** Stands for a simulator that nobody plays. */
  readonly unplayed: (account: ProviderAccount) => Connection
  readonly end: (connection: Connection) => Promise<void>
}

/** Who was given a connection that is replaced since may call over it for so long. */
const REPLACED_KEPT_MS = MINUTE_MS

interface Kept<Connection> {
  readonly account: ProviderAccount
  readonly connection: Promise<Connection>
}

export function createAccountConnections<Provider extends AccountProvider, Connection>(
  connecting: Connecting<Provider, Connection>,
): AccountConnections<Connection> {
  const kept = new Map<string, Kept<Connection>>()
  const replaced = new Map<Kept<Connection>, NodeJS.Timeout>()
  const of = (account: ProviderAccount): Promise<Connection> => {
    const before = kept.get(account.id)
    if (before !== undefined && isSame(before.account, account)) return before.connection
    const connection = connect(connecting, account)
    kept.set(account.id, { account, connection })
    if (before !== undefined) endLater(before)
    connection.catch(() => {
      // The next one who needs it tries anew.
      if (kept.get(account.id)?.connection === connection) kept.delete(account.id)
    })
    return connection
  }
  const end = async ({ account, connection }: Kept<Connection>): Promise<void> => {
    try {
      await connecting.end(await connection)
    } catch (error) {
      connecting.log.warn(
        { account: account.id, error },
        'a connection to a provider could not be closed',
      )
    }
  }
  const endLater = (before: Kept<Connection>): void => {
    const timer = setTimeout(() => {
      replaced.delete(before)
      void end(before)
    }, REPLACED_KEPT_MS)
    replaced.set(before, timer.unref())
  }
  return {
    of,
    async close() {
      for (const timer of replaced.values()) clearTimeout(timer)
      await Promise.all([...replaced.keys(), ...kept.values()].map(end))
    },
  }
}

async function connect<Provider extends AccountProvider, Connection>(
  { log, providers, simulated, unplayed, ...connecting }: Connecting<Provider, Connection>,
  account: ProviderAccount,
): Promise<Connection> {
  const { id, kind } = account
  const provider = (await providers()).find(({ name }) => name === account.provider)
  if (provider === undefined)
    throw new Error(`no provider of this version is named ${account.provider}: account ${id}`)
  if (kind !== 'simulator') return connecting.connect(provider, account)
  if (simulated !== undefined) return await simulated(account, provider)
  log.info({ account: id }, 'nobody plays the provider of this account: it moves nothing')
  return unplayed(account)
}

/** What else of an account may change is not its provider's. */
function isSame(one: ProviderAccount, other: ProviderAccount): boolean {
  const [credentials, otherCredentials] = [one, other].map(({ secrets }) =>
    secrets.credentials.reveal(),
  )
  return (
    credentials === otherCredentials &&
    JSON.stringify(one.settings) === JSON.stringify(other.settings)
  )
}
