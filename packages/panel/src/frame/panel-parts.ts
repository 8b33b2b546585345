import type { Clock, Log } from '@cofre/contracts'
import type { Site } from '@cofre/pages'
import type { People, StoreSessions } from '@cofre/people'
import type { Limited } from '@cofre/work'
import type { Mailer } from '../model/mailer.js'
import type { SandboxDesk, StoreDesk } from '../model/console-desk.js'
import type { ConsoleEnvironments, SandboxTools } from '../model/console-gateway.js'
import type { PlayedParts } from './played.js'
import type { ShownPage } from './shown-page.js'
import type { SecretKeeper } from '../session/store-secret.js'

/** What the panel is made of; the caller does the listening. */
export interface PanelDeps {
  readonly environments: ConsoleEnvironments
  /** The staff; without it a store's secret is the only sign-in, to the sandbox. */
  readonly people?: ConsolePeople
  /** Without it people are handed their links. */
  readonly mailer?: Mailer
  /** Default: nobody else keeps secrets. */
  readonly secretKeeper?: SecretKeeper
  /** The machine's clock, by which sessions end. Pages show the sandbox's. */
  readonly clock: Clock
  readonly log: Log
  /** Whether a database is away, full or slow, so that the same page may work later. */
  readonly isUnavailable: (error: unknown) => boolean
  /** The console's one origin: `http://localhost:8083`. */
  readonly publicUrl: string
  /** Origin at which notifications reach the receivers: `http://127.0.0.1:8083`. */
  readonly inboxOrigin: string
  /** Origin of the demo shop, a shop of the test store; without it no page mentions the shop. */
  readonly demoShopUrl?: string
  /**
   * The command that prints a link for the demo store's owner; absent where no such link opens
   * anything.
   */
  readonly openCommand?: string
  /** The vendor's segment of the API's media type: `cofre`. */
  readonly mediaVendor: string
  /** The address a request came from, for counting failed sign-ins. */
  readonly addressOf: (request: Request, bindings: object) => string
  /** Whether the operator has named the network of an address: its people are never slowed down. */
  readonly isNamedNetwork?: (address: string) => boolean
  /** Ends live updates when the process stops; default: never. */
  readonly stopping?: AbortSignal
}

/** What the frame asks about people. */
export interface ConsolePeople extends Pick<
  People,
  'accessOf' | 'challenges' | 'find' | 'signIn' | 'signInWithPasskey' | 'signOut' | 'stepUp'
> {
  readonly links: Pick<People['links'], 'end' | 'forgotten' | 'invite' | 'look' | 'open' | 'use'>
  readonly acts: People['acts']
  readonly own: People['own']
  readonly documentSearches: People['documentSearches']
  readonly staff: Pick<People['staff'], 'members' | 'setRole' | 'storesOf' | 'takeOut'>
}

/** What every page is made with. */
export interface PanelParts extends PanelDeps {
  readonly site: Site
  /** Those that the navigation leads to. */
  readonly pages: readonly ShownPage[]
  /** Where files are posted to, within a store. */
  readonly uploads: Set<string>
  /** Where the console has a sandbox. */
  readonly played?: PlayedParts
  /** Files that sessions are being sent, and that stores are sending here; and live updates. */
  readonly limited: Limited
}

/** What the pages of people are made with. */
export interface PeopleParts extends PanelParts {
  readonly people: ConsolePeople
}

/** What the pages of the sandbox alone are made with. */
export interface SandboxParts extends PanelParts {
  readonly backOffice: StoreDesk
  readonly desk: SandboxDesk
  readonly storeSessions: StoreSessions
  readonly sandbox: SandboxTools
  readonly sandboxUrl: string
}

/** Undefined where the console has no sandbox. */
export function sandboxPartsOf(parts: PanelParts): SandboxParts | undefined {
  const { sandbox } = parts.environments
  if (sandbox === undefined) return undefined
  const { apiUrl, backOffice, desk, storeSessions, tools } = sandbox
  return { ...parts, backOffice, desk, storeSessions, sandbox: tools, sandboxUrl: apiUrl }
}
