import type { Clock, Log } from '@cofre/contracts'
import type { BackOffice, Figures, PaymentFinder } from '@cofre/gateway'
import type { Site } from '@cofre/pages'
import type { Sandbox } from '@cofre/sandbox'
import type { SessionStore } from '../session/session-store.js'
import type { SignInLockout } from '../session/sign-in-lockout.js'
import type { SecretKeeper } from '../session/store-secret.js'

/** What the panel is made of; the caller does the listening. */
export interface PanelDeps {
  /** That of the sandbox's gateway. */
  readonly backOffice: BackOffice
  readonly payments: PaymentFinder
  readonly figures: Figures
  readonly sandbox: Pick<Sandbox, 'clock' | 'inboxes' | 'modes' | 'preview' | 'requests'>
  /** Default: nobody else keeps secrets. */
  readonly secretKeeper?: SecretKeeper
  readonly sessions: SessionStore
  /** The machine's clock, by which sessions end. Pages show the sandbox's. */
  readonly clock: Clock
  readonly log: Log
  /** Whether a database is away, full or slow, so that the same page may work later. */
  readonly isUnavailable: (error: unknown) => boolean
  /** Origin at which browsers and notifications reach the panel: `http://127.0.0.1:8083`. */
  readonly publicUrl: string
  /** Origin of the sandbox's API and of its pages for payers: `http://127.0.0.1:8081`. */
  readonly sandboxUrl: string
  /** Origin of the demo shop, a shop of the test store; without it no page mentions the shop. */
  readonly demoShopUrl?: string
  /** The vendor's segment of the API's media type: `cofre`. */
  readonly mediaVendor: string
  /** The address a request came from, for counting failed sign-ins. */
  readonly addressOf: (request: Request, bindings: object) => string
  /** Ends live updates when the process stops; default: never. */
  readonly stopping?: AbortSignal
}

/** What every page is made with. */
export interface PanelParts extends PanelDeps {
  readonly site: Site
  readonly lockout: SignInLockout
  /** How many files each session is being sent, by its hash. */
  readonly files: Map<string, number>
}
