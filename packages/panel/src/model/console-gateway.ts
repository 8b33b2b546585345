import type { Clock, Environment } from '@cofre/contracts'
import type { StoreSessions } from '@cofre/people'
import type { Sandbox } from '@cofre/sandbox'
import type { SandboxDesk, StoreDesk } from './console-desk.js'

/**
 * One environment, as pages see it. Every method takes the store first, and answers nothing of
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
  /** The bank or acquirer, for people. */
  readonly company: string
  readonly kind: 'live' | 'test' | 'simulator'
  readonly label: string
  /** Accounts with acquirers are kept by the vault, those with banks by the gateway. */
  readonly keeper: 'gateway' | 'vault'
  /** What it is asked for, while it is enabled; none where no order names it. */
  readonly methods: readonly ('pix' | 'boleto' | 'card')[]
  /** Of cards: those that it charges. */
  readonly brands: readonly string[]
  readonly certificateUntilMs: number | undefined
  readonly lastTest: { readonly atMs: number; readonly failure: string | undefined } | undefined
  readonly disabledAtMs: number | undefined
}

export interface ShownAccounts {
  /** Those with banks and then those with acquirers, the oldest first. */
  list(storeId: string): Promise<readonly ShownAccount[]>
}

export type SandboxTools = Pick<Sandbox, 'clock' | 'inboxes' | 'modes' | 'preview' | 'requests'>

/** The sandbox, in which the bank is played. */
export interface SandboxGateway extends ConsoleGateway {
  readonly desk: SandboxDesk
  readonly tools: SandboxTools
  /** Of who signs in with a store's secret. */
  readonly storeSessions: StoreSessions
}

/** What the console shows: one environment or both. A store has the same id in each. */
export interface ConsoleEnvironments {
  readonly production?: ConsoleGateway
  readonly sandbox?: SandboxGateway
}

/** A store in one environment: what an address of the console begins with. */
export interface Place {
  readonly environment: Environment
  readonly storeId: string
}

const PLACE = /^\/(production|sandbox)\/([A-Za-z0-9_-]{1,64})(?=\/|$)/

/** Undefined for an address outside the stores. */
export function placeOf(pathname: string): Place | undefined {
  const [, environment, storeId] = PLACE.exec(pathname) ?? []
  return storeId === undefined ? undefined : { environment: environment as Environment, storeId }
}

/** @param path - Of a page: `/payments`. */
export function addressIn({ environment, storeId }: Place, path: string): string {
  return `/${environment}/${storeId}${path}`
}

/** What a room brings for each environment that the console has. */
export type PerEnvironment<Port> = Readonly<Partial<Record<Environment, Port>>>

/** @throws Error when the environment has none: then it has no page of it either */
export function portAt<Port>(
  ports: PerEnvironment<Port>,
  { environment }: Pick<Place, 'environment'>,
): Port {
  const found = ports[environment]
  if (found === undefined) throw new Error(`a room brought nothing for ${environment}`)
  return found
}
