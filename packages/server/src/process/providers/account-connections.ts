import type { AccountProvider, ProviderAccount } from '@cofre/provider-kit/account'
import { type Log, MINUTE_MS } from '@cofre/contracts'

/** The connections of this process to the providers of accounts. */
export interface AccountConnections<Connection> {
  /** One connection for each account, while its credentials and settings stay the same. */
  readonly of: (account: ProviderAccount) => Promise<Connection>
  close(): Promise<void>
}

/** Connects an account of kind simulator to the provider that this process simulates. */
export type SimulatedConnect<Provider, Connection> = (
  account: ProviderAccount,
  provider: Provider,
) => Promise<Connection>

/** Connects accounts of one kind of provider. */
export interface Connecting<Provider extends AccountProvider, Connection> {
  readonly log: Log
  /** Loads the providers' code: a process without accounts needs none. */
  readonly providers: () => Promise<readonly Provider[]>
  readonly connect: (provider: Provider, account: ProviderAccount) => Connection
  /** Absent if this process simulates no provider. */
  readonly simulated: SimulatedConnect<Provider, Connection> | undefined
  /** Connection for a simulator account without its simulator. */
  readonly unsimulated: (account: ProviderAccount) => Connection
  readonly end: (connection: Connection) => Promise<void>
}

/** Grace period for callers that still hold a replaced connection. */
const REPLACEMENT_GRACE_MS = MINUTE_MS

interface CachedConnection<Connection> {
  readonly account: ProviderAccount
  readonly connection: Promise<Connection>
}

export function createAccountConnections<Provider extends AccountProvider, Connection>(
  connecting: Connecting<Provider, Connection>,
): AccountConnections<Connection> {
  const kept = new Map<string, CachedConnection<Connection>>()
  const replaced = new Map<CachedConnection<Connection>, NodeJS.Timeout>()
  const of = (account: ProviderAccount): Promise<Connection> => {
    const before = kept.get(account.id)
    if (before !== undefined && isSame(before.account, account)) return before.connection
    const connection = connect(connecting, account)
    kept.set(account.id, { account, connection })
    if (before !== undefined) endLater(before)
    connection.catch(() => {
      // The next caller tries again.
      if (kept.get(account.id)?.connection === connection) kept.delete(account.id)
    })
    return connection
  }
  const end = async ({ account, connection }: CachedConnection<Connection>): Promise<void> => {
    try {
      await connecting.end(await connection)
    } catch (error) {
      connecting.log.warn(
        { account: account.id, error },
        'a connection to a provider could not be closed',
      )
    }
  }
  const endLater = (before: CachedConnection<Connection>): void => {
    const timer = setTimeout(() => {
      replaced.delete(before)
      void end(before)
    }, REPLACEMENT_GRACE_MS)
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
  { log, providers, simulated, unsimulated, ...connecting }: Connecting<Provider, Connection>,
  account: ProviderAccount,
): Promise<Connection> {
  const { id, kind } = account
  const provider = (await providers()).find(({ name }) => name === account.provider)
  if (provider === undefined)
    throw new Error(`no provider of this version is named ${account.provider}: account ${id}`)
  if (kind !== 'simulator') return connecting.connect(provider, account)
  if (simulated !== undefined) return await simulated(account, provider)
  log.info(
    { account: id },
    'account has no simulator and moves no money; only npm start runs simulators',
  )
  return unsimulated(account)
}

/** Compares only what the provider sees of an account. */
function isSame(one: ProviderAccount, other: ProviderAccount): boolean {
  const [credentials, otherCredentials] = [one, other].map(({ secrets }) =>
    secrets.credentials.reveal(),
  )
  return (
    credentials === otherCredentials &&
    JSON.stringify(one.settings) === JSON.stringify(other.settings)
  )
}
