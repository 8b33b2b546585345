import type { Clock, Environment } from '@cofre/contracts'
import type { StoreSessions } from '@cofre/people'
import type { Sandbox } from '@cofre/sandbox'
import type { SandboxDesk, StoreDesk } from './console-desk.js'

/**
 * One environment, as pages see it. Every method takes the store first, and returns nothing of
 * another store.
 */
export interface ConsoleGateway {
  readonly backOffice: StoreDesk
  readonly accounts: ShownAccounts
  readonly clock: Clock
  /** Origin of its API and of its pages for payers: `http://127.0.0.1:8081`. */
  readonly apiUrl: string
}

/** A store's account with a provider, without its credentials. */
export interface ShownAccount {
  readonly id: string
  readonly provider: string
  /** The bank's or acquirer's name, for people. */
  readonly company: string
  readonly kind: 'live' | 'test' | 'simulator'
  readonly label: string
  /** The vault stores accounts with acquirers, the gateway those with banks. */
  readonly keeper: 'gateway' | 'vault'
  /** Methods that an enabled account is used for; none if no order names the account. */
  readonly methods: readonly ('pix' | 'boleto' | 'card')[]
  /** The card brands that the account charges. */
  readonly brands: readonly string[]
  readonly certificateUntilMs: number | undefined
  readonly lastTest: { readonly atMs: number; readonly failure: string | undefined } | undefined
  readonly disabledAtMs: number | undefined
}

export interface ShownAccounts {
  /** Accounts with banks, then those with acquirers, the oldest first. */
  list(storeId: string): Promise<readonly ShownAccount[]>
}

export type SandboxTools = Pick<Sandbox, 'clock' | 'inboxes' | 'modes' | 'preview' | 'requests'>

/** The sandbox, in which the bank is simulated. */
export interface SandboxGateway extends ConsoleGateway {
  readonly desk: SandboxDesk
  readonly tools: SandboxTools
  /** Sessions opened with a store's secret. */
  readonly storeSessions: StoreSessions
}

/** The environments of the console: one or both. A store has the same id in each. */
export interface ConsoleEnvironments {
  readonly production?: ConsoleGateway
  readonly sandbox?: SandboxGateway
}

/** A store in one environment: the beginning of a console address. */
export interface StorePath {
  readonly environment: Environment
  readonly storeId: string
}

const STORE_PATH = /^\/(production|sandbox)\/([A-Za-z0-9_-]{1,64})(?=\/|$)/

/** Undefined for an address outside the stores. */
export function parseStorePath(pathname: string): StorePath | undefined {
  const [, environment, storeId] = STORE_PATH.exec(pathname) ?? []
  return storeId === undefined ? undefined : { environment: environment as Environment, storeId }
}

/** @param path - Path of a page: `/payments`. */
export function addressIn({ environment, storeId }: StorePath, path: string): string {
  return `/${environment}/${storeId}${path}`
}

/** A room's port for each environment that the console has. */
export type PerEnvironment<Port> = Readonly<Partial<Record<Environment, Port>>>

/** @throws Error when the environment has no port: then it has no such page either */
export function portAt<Port>(
  ports: PerEnvironment<Port>,
  { environment }: Pick<StorePath, 'environment'>,
): Port {
  const found = ports[environment]
  if (found === undefined) throw new Error(`a room brought nothing for ${environment}`)
  return found
}
