import type { Clock, Log } from '@cofre/contracts'
import type { Site } from '@cofre/pages'
import type { People, StoreSessions } from '@cofre/people'
import type { Limited } from '@cofre/work'
import type { Mailer } from '../model/mailer.js'
import type { SandboxDesk, StoreDesk } from '../model/console-desk.js'
import type { ConsoleEnvironments, SandboxTools } from '../model/console-gateway.js'
import type { SimulatedParts } from './simulated-parts.js'
import type { ShownPage } from './shown-page.js'
import type { SecretKeeper } from '../session/store-secret.js'

/** The panel's dependencies; the caller listens. */
export interface PanelDeps {
  readonly environments: ConsoleEnvironments
  /** The staff; without it a store's secret is the only sign-in, to the sandbox. */
  readonly people?: ConsolePeople
  /** If absent, the console shows a link to its creator, who hands it over. */
  readonly mailer?: Mailer
  /** If absent, no other component stores secrets. */
  readonly secretKeeper?: SecretKeeper
  /** The machine's clock, for the end of sessions. Pages show the sandbox's. */
  readonly clock: Clock
  readonly log: Log
  /** True if a database is unavailable, full or slow, so that the same page may work later. */
  readonly isUnavailable: (error: unknown) => boolean
  /** The console's one origin: `http://localhost:8083`. */
  readonly publicUrl: string
  /** Origin that receives notifications: `http://127.0.0.1:8083`. */
  readonly inboxOrigin: string
  /** Origin of the test store's demo shop. If absent, no page mentions the shop. */
  readonly demoShopUrl?: string
  /** The command that prints a link for the demo store's owner; absent if no such link works. */
  readonly openCommand?: string
  /** The vendor's segment of the API's media type: `cofre`. */
  readonly mediaVendor: string
  /** The address of a request's sender, for counting failed sign-ins. */
  readonly addressOf: (request: Request, bindings: object) => string
  /** True if the operator named the network of an address: its people are never throttled. */
  readonly isNamedNetwork?: (address: string) => boolean
  /** Ends live updates when the process stops; default: never. */
  readonly stopping?: AbortSignal
}

/** The functions of `people` that the frame uses. */
export interface ConsolePeople extends Pick<
  People,
  'accessOf' | 'challenges' | 'find' | 'signIn' | 'signInWithPasskey' | 'signOut' | 'stepUp'
> {
  readonly links: Pick<People['links'], 'end' | 'forgotten' | 'invite' | 'open' | 'use' | 'view'>
  readonly acts: People['acts']
  readonly own: People['own']
  readonly documentSearches: People['documentSearches']
  readonly staff: Pick<People['staff'], 'members' | 'setRole' | 'storesOf' | 'remove'>
}

/** The parts of every page. */
export interface PanelParts extends PanelDeps {
  readonly site: Site
  /** The pages in the navigation. */
  readonly pages: readonly ShownPage[]
  /** Upload paths within a store. */
  readonly uploads: Set<string>
  /** Set if the console has a sandbox. */
  readonly simulated?: SimulatedParts
  /** Limits downloads of sessions, uploads of stores, and live updates. */
  readonly limited: Limited
}

export interface PeopleParts extends PanelParts {
  readonly people: ConsolePeople
}

export interface SandboxParts extends PanelParts {
  readonly backOffice: StoreDesk
  readonly desk: SandboxDesk
  readonly storeSessions: StoreSessions
  readonly sandbox: SandboxTools
  readonly sandboxUrl: string
}

/** Undefined if the console has no sandbox. */
export function sandboxPartsOf(parts: PanelParts): SandboxParts | undefined {
  const { sandbox } = parts.environments
  if (sandbox === undefined) return undefined
  const { apiUrl, backOffice, desk, storeSessions, tools } = sandbox
  return { ...parts, backOffice, desk, storeSessions, sandbox: tools, sandboxUrl: apiUrl }
}
